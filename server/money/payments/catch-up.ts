import { sql } from 'kysely';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../ground/lib/time.ts';
import { enqueue, retryAfterOutage } from '../../ground/outbox/jobs.ts';
import type { CardProvider, ProviderEvent } from '../../selling/purchases/card-provider.ts';
import type { FulfilmentContext } from '../../selling/purchases/fulfil-purchase.ts';
import { storeEvent } from './receive-webhook.ts';

interface CaughtUp {
  /** Events that had not arrived. */
  missed: number;
  /** Purchases past their time after which nobody asked any more. */
  asked: number;
  /** Jobs that had been given up after three days of errors. */
  retried: number;
  /** Since when events may have happened that the provider no longer lists: UTC milliseconds. */
  unlistedSince: number | null;
}

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
export async function catchUp(context: FulfilmentContext): Promise<CaughtUp | null> {
  const { db, provider, now } = context;
  const name = await nameCursor(provider);
  const turn = await takeTurn(db, name, now());
  if (turn === null) return null;
  const { readUntil, listedAt } = turn;
  const startedAt = now();
  const unlistedSince = listedAt < startedAt - LISTED_MS ? listedAt : null;
  if (unlistedSince !== null)
    await keepGap(db, name, { beganAt: unlistedSince, endedAt: startedAt });
  const { missed, newest } = await fetchMissedEvents(context, readUntil);
  await db
    .updateTable('provider_cursor')
    .set({ read_until: Math.max(newest, readUntil), listed_at: startedAt })
    .where('name', '=', name)
    .execute();
  const asked = await askAfterForgotten(context);
  return { missed, asked, unlistedSince, retried: await retryAfterOutage(db, now()) };
}

interface Turn {
  /** Until when events were read, UTC milliseconds. */
  readUntil: number;
  /** When the provider listed them before, UTC milliseconds; now where it never did. */
  listedAt: number;
}

/** Of several processes one asks. @returns null for the others */
async function takeTurn(db: Database, name: string, now: number): Promise<Turn | null> {
  await db
    .insertInto('provider_cursor')
    .values({ name, read_until: now - DAY_MS, asked_at: 0, listed_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const before = await db
    .selectFrom('provider_cursor')
    .where('name', '=', name)
    .selectAll()
    .executeTakeFirstOrThrow();
  const taken = await db
    .updateTable('provider_cursor')
    .set({ asked_at: now })
    .where('name', '=', name)
    .where('asked_at', '=', before.asked_at)
    // A clock that was set back must not keep anybody from asking.
    .where(({ eb, or }) => or([eb('asked_at', '<=', now - HOUR_MS), eb('asked_at', '>', now)]))
    .returning('name')
    .executeTakeFirst();
  if (!taken) return null;
  return { readUntil: before.read_until, listedAt: before.listed_at ?? now };
}

/** What cannot be caught up with is kept until `reconcile` has looked at it. */
async function keepGap(db: Database, name: string, { beganAt, endedAt }: Gap): Promise<void> {
  await db
    .insertInto('provider_gap')
    .values({ name, began_at: beganAt, ended_at: endedAt })
    // An earlier one that nobody looked at begins where it began.
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ ended_at: endedAt }))
    .execute();
}

/** A time of which the provider lists no events, UTC milliseconds. */
interface Gap {
  beganAt: number;
  endedAt: number;
}

/** The times whose events were never read, because nobody asked while the provider listed them. */
export async function listGaps(db: Database): Promise<Gap[]> {
  const gaps = await db.selectFrom('provider_gap').orderBy('name').selectAll().execute();
  return gaps.map(({ began_at: beganAt, ended_at: endedAt }) => ({ beganAt, endedAt }));
}

/** After everything since then was compared with the provider. @param since UTC milliseconds */
export async function closeGap(
  { db, provider }: Pick<FulfilmentContext, 'db' | 'provider'>,
  since: number,
): Promise<void> {
  await db
    .deleteFrom('provider_gap')
    .where('name', '=', await nameCursor(provider))
    .where('began_at', '>=', since)
    .execute();
}

const nameCursor = async (provider: CardProvider) =>
  `events of ${await provider.account()} in ${provider.mode} mode`;

async function fetchMissedEvents(
  context: FulfilmentContext,
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
async function storeMissed(
  { db, now }: FulfilmentContext,
  events: ProviderEvent[],
): Promise<number> {
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
async function askAfterForgotten({ db, provider, now }: FulfilmentContext): Promise<number> {
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
