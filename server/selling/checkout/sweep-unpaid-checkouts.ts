import { sql } from 'kysely';
import { addCounts } from '../../books/statistics/counts.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { dayOf } from '../../ground/lib/time.ts';

/** Until then, whoever says that they paid can be answered from what is here. */
export const UNPAID_KEPT_FOR_MS = 90 * 24 * 60 * 60 * 1000;
/** The provider repeats an event for days, and lets a person repeat it for 30. */
export const EVENTS_KEPT_FOR_MS = 90 * 24 * 60 * 60 * 1000;

/** The embedded database serves one at a time: nobody waits for all of it. */
const ROWS_AT_ONCE = 500;

/**
 * Removes the checkouts that ended three months ago without a payment, and the provider's events
 * that were processed then, because strangers can cause any number of both. They stay counted. What
 * a person may have to look at stays: checkouts without a known end, because mismatching money may
 * have arrived, and those referenced by a job, given up or not, or by an unprocessed event.
 */
export async function sweepUnpaidCheckouts(db: Database, now: number): Promise<void> {
  while ((await sweepPurchases(db, now - UNPAID_KEPT_FOR_MS)) === ROWS_AT_ONCE);
  while ((await sweepEvents(db, now - EVENTS_KEPT_FOR_MS)) === ROWS_AT_ONCE);
}

/** @returns how many */
function sweepPurchases(db: Database, before: number): Promise<number> {
  return transaction(db, async (trx) => {
    const found = await trx
      .selectFrom('purchase')
      .select('id')
      .where('settled_at', 'is', null)
      .where('expires_at', '<', before)
      .where('state', 'in', ['expired', 'failed'])
      .where(({ not, or }) => not(or([isOfJob, isOfEvent(dialectOf(trx))])))
      .orderBy('expires_at')
      .limit(ROWS_AT_ONCE)
      // One that is being paid after all stays.
      .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate().skipLocked())
      .execute();
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    const swept = await trx
      .deleteFrom('purchase')
      .where('id', 'in', ids)
      .returning(['payment_id', 'link_id', 'seller_id', 'created_at', 'source'])
      .execute();
    await trx
      .deleteFrom('payment')
      .where('id', 'in', [...new Set(swept.map(({ payment_id }) => payment_id))])
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('purchase').whereRef('payment_id', '=', 'payment.id').select('id'))),
      )
      .execute();
    const links = Map.groupBy(swept, ({ link_id }) => link_id);
    const days = Map.groupBy(swept, ({ seller_id, created_at }) =>
      JSON.stringify({ owner_id: seller_id, day: dayOf(created_at) }),
    );
    const sources = Map.groupBy(
      swept.filter(({ source }) => source !== null),
      ({ link_id, seller_id, created_at, source }) =>
        JSON.stringify({ link_id, owner_id: seller_id, day: dayOf(created_at), source }),
    );
    addCounts(
      trx,
      [...links].map(([link_id, { length }]) => ({ link_id, swept_checkouts: length })),
      [...days].map(([day, { length }]) => ({ ...JSON.parse(day), swept_checkouts: length })),
      [...sources].map(([source, { length }]) => ({
        ...JSON.parse(source),
        swept_checkouts: length,
      })),
    );
    return swept.length;
  });
}

/** Null where none is known. */
const askedSession = sql<string | null>`(
  select session_id from payment where payment.id = purchase.payment_id)`;

/** What was to be paid at once stays as a whole. */
const isOfJob = sql<boolean>`(
  exists (select 1 from job where payload = '{"sessionId":"' || ${askedSession} || '"}')
  or exists (
    select 1 from purchase as line
    inner join job on job.payload = '{"purchaseId":"' || line.id || '"}'
    where line.payment_id = purchase.payment_id
  ))`;

/** A session that is not known is in no event. */
function isOfEvent(dialect: ReturnType<typeof dialectOf>) {
  const sessionId =
    dialect === 'postgres'
      ? sql`payload::json #>> '{data,object,id}'`
      : sql`payload ->> '$.data.object.id'`;
  return sql<boolean>`coalesce(${askedSession} in (
    select ${sessionId} from webhook_event where handled_at is null), false)`;
}

/** @returns how many */
async function sweepEvents(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_event')
    .where('id', 'in', (select) =>
      select
        .selectFrom('webhook_event')
        .where('handled_at', 'is not', null)
        .where('handled_at', '<', before)
        .orderBy('handled_at')
        .limit(ROWS_AT_ONCE)
        .select('id'),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
