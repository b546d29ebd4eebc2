import { dialectOf } from '../dialect.ts';
import { addCounts } from '../statistics/add-counts.ts';
import { dayOf } from '../statistics/day-of.ts';
import type { Database } from '../tables.ts';

/** Until then, whoever says that they paid can be answered from what is here. */
export const UNPAID_KEPT_FOR_MS = 90 * 24 * 60 * 60 * 1000;
/** The provider repeats an event for days, and lets a person repeat it for 30. */
export const EVENTS_KEPT_FOR_MS = 90 * 24 * 60 * 60 * 1000;

/** The embedded database serves one at a time: nobody waits for all of it. */
const ROWS_AT_ONCE = 500;

/**
 * Forgets the checkouts that ended three months ago without a payment, and the provider's events
 * that were handled then: strangers cause as many of both as they like. They stay counted.
 */
export async function sweepUnpaidCheckouts(db: Database, now: number): Promise<void> {
  while ((await sweepPurchases(db, now - UNPAID_KEPT_FOR_MS)) === ROWS_AT_ONCE);
  while ((await sweepEvents(db, now - EVENTS_KEPT_FOR_MS)) === ROWS_AT_ONCE);
}

/** @returns how many */
function sweepPurchases(db: Database, before: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('purchase')
      .select('id')
      .where('settled_at', 'is', null)
      .where('expires_at', '<', before)
      .where('state', 'in', ['open', 'expired', 'failed'])
      .orderBy('expires_at')
      .limit(ROWS_AT_ONCE)
      // One that is being paid after all stays.
      .$if(dialectOf(transaction) === 'postgres', (query) => query.forUpdate().skipLocked())
      .execute();
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    await transaction.deleteFrom('purchase_file').where('purchase_id', 'in', ids).execute();
    const swept = await transaction
      .deleteFrom('purchase')
      .where('id', 'in', ids)
      .returning(['link_id', 'seller_id', 'created_at'])
      .execute();
    const links = Map.groupBy(swept, ({ link_id }) => link_id);
    const days = Map.groupBy(swept, ({ seller_id, created_at }) =>
      JSON.stringify({ owner_id: seller_id, day: dayOf(created_at) }),
    );
    await addCounts(
      transaction,
      [...links].map(([link_id, { length }]) => ({ link_id, swept_checkouts: length })),
      [...days].map(([day, { length }]) => ({ ...JSON.parse(day), swept_checkouts: length })),
    );
    return swept.length;
  });
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
