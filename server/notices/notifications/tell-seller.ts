import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { MAX_TOLD_SINGLY } from '../../../contract/notifications.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { StoredChoice } from './tables.ts';

/** What is left to an email that is due sooner is written before it is summed up. */
const SETTLED_WITHIN_MS = MINUTE_MS;
/** In place of a gathering, for a seller who wants no emails. */
const NONE = '';

/**
 * Of a seller with more sales within the hour than are told one by one: the email that the next one is left
 * to, if any; `NONE` for one who wants none. Read where nobody waits for the seller's row, for which all
 * sales of the seller would.
 */
export const gatheringOf = (db: Pick<Database, 'selectFrom'>, ownerId: string, hourAgo: number) =>
  db
    .selectFrom('notification_choice')
    .where('owner_id', '=', ownerId)
    .where('hour_from', '>', hourAgo)
    .where('hour_sales', '>', MAX_TOLD_SINGLY)
    .select(
      sql<string | null>`case sales when 'none' then ${sql.lit(NONE)} else gathering_id end`.as(
        'id',
      ),
    );

/**
 * Leaves word of a sale for its seller, as they chose, in the sale's transaction.
 * @param gathering as `gatheringOf` found it
 * @param now UTC milliseconds
 */
export async function tellSeller(
  trx: DatabaseTransaction,
  { id: purchaseId, seller_id: ownerId }: { id: string; seller_id: string },
  gathering: string | null,
  now: number,
): Promise<void> {
  if (gathering === NONE) return;
  if (gathering !== null && dueAtOf(gathering) > now + SETTLED_WITHIN_MS) {
    await insertGathered(trx, { purchase_id: purchaseId, gathering_id: gathering });
    return;
  }
  const choice = await countSale(trx, ownerId, now);
  if (choice.hasBrowsers) await tellBrowsers(trx, { ownerId, purchaseId, choice }, now);
  if (choice.sales === 'none') return;
  if (choice.sales === 'each' && choice.hour_sales <= MAX_TOLD_SINGLY) {
    return enqueue(trx, 'send-sale', { purchaseId }, now);
  }
  let { gathering_id: gatheringId } = choice;
  if (gatheringId === null) {
    const isDay = choice.sales === 'daily';
    const dueAt = isDay ? (dayOf(now) + 1) * DAY_MS : choice.hour_from + HOUR_MS;
    gatheringId = `${dueAt}-${randomUUID()}`;
    await trx
      .updateTable('notification_choice')
      .set({ gathering_id: gatheringId })
      .where('owner_id', '=', ownerId)
      .execute();
    await enqueue(trx, 'send-sales', { ownerId, gatheringId, isDay }, now, dueAt);
  }
  await insertGathered(trx, { purchase_id: purchaseId, gathering_id: gatheringId });
}

/** Of the email that tells a gathering, UTC milliseconds: its id begins with it. */
const dueAtOf = (gatheringId: string) => Number.parseInt(gatheringId, 10);

const insertGathered = prepare(
  (db, { purchase_id, gathering_id }: Insertable<Tables['gathered_sale']>) =>
    db.insertInto('gathered_sale').values({ purchase_id, gathering_id }),
);

interface CountedSale extends StoredChoice {
  /** Whether a browser of the seller's is to show it. */
  hasBrowsers: number | boolean;
}

/** What is sold beyond the first ones of an hour is told together, when the hour is over. */
async function tellBrowsers(
  trx: DatabaseTransaction,
  sale: { ownerId: string; purchaseId: string; choice: CountedSale },
  now: number,
): Promise<void> {
  const { ownerId, purchaseId, choice } = sale;
  const { hour_from: from, hour_sales: number } = choice;
  if (number <= MAX_TOLD_SINGLY) {
    await enqueue(trx, 'tell-browsers', { ownerId, purchaseId, from: now }, now);
  } else if (number === MAX_TOLD_SINGLY + 1) {
    const hour = { ownerId, purchaseId: null, from };
    await enqueue(trx, 'tell-browsers', hour, now, from + HOUR_MS);
  }
}

/** Holds the row to the end of the transaction, so that no sale is left to an email under way. */
async function countSale(
  trx: DatabaseTransaction,
  ownerId: string,
  now: number,
): Promise<CountedSale> {
  const [choice] = await insertSale(trx, ownerId, now, now - HOUR_MS);
  if (!choice) throw new Error(`A sale of ${ownerId} was not counted`);
  return choice;
}

const insertSale = prepare((db, ownerId: string, now: number, hourAgo: number) => {
  const isOver = sql<boolean>`notification_choice.hour_from <= ${hourAgo}`;
  return db
    .insertInto('notification_choice')
    .values({ owner_id: ownerId, hour_from: now, hour_sales: 1 })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet({
        hour_from: sql`case when ${isOver} then excluded.hour_from
          else notification_choice.hour_from end`,
        hour_sales: sql`case when ${isOver} then 1 else notification_choice.hour_sales + 1 end`,
      }),
    )
    .returningAll()
    .returning(({ exists, selectFrom }) =>
      exists(
        selectFrom('notified_browser').where('owner_id', '=', ownerId).select('session_id'),
      ).as('hasBrowsers'),
    );
});
