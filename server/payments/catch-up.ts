import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';
import { enqueue, retryAfterOutage } from '../outbox/jobs.ts';
import type { CardProvider, ProviderEvent } from './card-provider.ts';
import { storeEvent } from './receive-webhook.ts';

export interface CatchUpContext {
  db: Database;
  provider: CardProvider;
  now: () => number;
}

interface CaughtUp {
  /** Events that had not arrived. */
  missed: number;
  /** Purchases past their time after which nobody asked any more. */
  asked: number;
  /** Jobs that had been given up after three days of errors. */
  retried: number;
}

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The provider lists no older events. */
const LISTED_MS = 30 * DAY_MS;
/** Events are listed again for so long before the newest one that was read: lists may lag. */
const OVERLAP_MS = HOUR_MS;
/** A younger event may still be on its way. */
const ARRIVES_WITHIN_MS = 5 * MINUTE_MS;
/** A purchase so long past its time that its own job has ended it. */
const SETTLED_WITHIN_MS = 5 * MINUTE_MS;
/** The provider's largest page. */
const BATCH = 100;

/**
 * Asks the provider, once an hour whoever calls it how often, for the events that did not arrive,
 * and puts them into the inbox, which acts on each once; has purchases past their time asked after,
 * and, as the provider answers, tries again what was given up while it did not.
 * @returns null when the hour is not over
 */
export async function catchUp(context: CatchUpContext): Promise<CaughtUp | null> {
  const { db, provider, now } = context;
  const name = `events of ${await provider.account()} in ${provider.mode} mode`;
  const readUntil = await takeTurn(db, name, now());
  if (readUntil === null) return null;
  const { missed, newest } = await fetchMissedEvents(context, readUntil);
  await db
    .updateTable('provider_cursor')
    .set({ read_until: Math.max(newest, readUntil) })
    .where('name', '=', name)
    .execute();
  const asked = await askAfterForgotten(context);
  return { missed, asked, retried: await retryAfterOutage(db, now()) };
}

/** Of several processes one asks. @returns until when events were read, UTC milliseconds */
async function takeTurn(db: Database, name: string, now: number): Promise<number | null> {
  await db
    .insertInto('provider_cursor')
    .values({ name, read_until: now - DAY_MS, asked_at: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const taken = await db
    .updateTable('provider_cursor')
    .set({ asked_at: now })
    .where('name', '=', name)
    // A clock that was set back must not keep anybody from asking.
    .where(({ eb, or }) => or([eb('asked_at', '<=', now - HOUR_MS), eb('asked_at', '>', now)]))
    .returning('read_until')
    .executeTakeFirst();
  return taken?.read_until ?? null;
}

async function fetchMissedEvents(
  context: CatchUpContext,
  readUntil: number,
): Promise<{ missed: number; newest: number }> {
  const { provider, now } = context;
  const since = Math.max(readUntil - OVERLAP_MS, now() - LISTED_MS);
  const arrivedBy = now() - ARRIVES_WITHIN_MS;
  let missed = 0;
  let newest = 0;
  let batch: ProviderEvent[] = [];
  for await (const event of provider.listEvents(since)) {
    newest = Math.max(newest, event.createdAt);
    if (event.createdAt <= arrivedBy) batch.push(event);
    if (batch.length < BATCH) continue;
    missed += await storeMissed(context, batch);
    batch = [];
  }
  return { missed: missed + (await storeMissed(context, batch)), newest };
}

/** @returns how many were not there yet */
async function storeMissed({ db, now }: CatchUpContext, events: ProviderEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const ids = events.map(({ id }) => id);
  const known = await db.selectFrom('webhook_event').where('id', 'in', ids).select('id').execute();
  const knownIds = new Set(known.map(({ id }) => id));
  let missed = 0;
  for (const event of events.filter(({ id }) => !knownIds.has(id))) {
    if (await transaction(db, (trx) => storeEvent(trx, event, now()))) missed += 1;
  }
  return missed;
}

/** Has purchases past their time asked after which have no job that does so. @returns how many */
async function askAfterForgotten({ db, provider, now }: CatchUpContext): Promise<number> {
  const forgotten = await db
    .selectFrom('purchase')
    .where('settled_at', 'is', null)
    .where('expires_at', '<', now() - SETTLED_WITHIN_MS)
    .where('state', 'in', ['open', 'processing'])
    .where('mode', '=', provider.mode)
    .where('provider_account', '=', await provider.account())
    .where(
      sql<boolean>`not exists (select 1 from job
        where payload = '{"purchaseId":"' || purchase.id || '"}' and kind = 'follow-checkout')`,
    )
    .select('id')
    .execute();
  for (const { id: purchaseId } of forgotten) {
    await enqueue(db, 'follow-checkout', { purchaseId }, now());
  }
  return forgotten.length;
}
