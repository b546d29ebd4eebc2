import { randomUUID } from 'node:crypto';
import { type Insertable, type SqlBool, sql } from 'kysely';
import { MAX_TOLD_SINGLY } from '../../../contract/notifications.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { StoredChoice } from './tables.ts';

/**
 * Leaves word of a sale for its seller, as they chose, in the sale's transaction.
 * @param now UTC milliseconds
 */
export async function tellSeller(
  trx: DatabaseTransaction,
  { id: purchaseId, seller_id: ownerId }: { id: string; seller_id: string },
  now: number,
): Promise<void> {
  const choice = await countSale(trx, ownerId, now);
  if (choice.hasBrowsers) await tellBrowsers(trx, { ownerId, purchaseId, choice }, now);
  if (choice.sales === 'none') return;
  if (choice.sales === 'each' && choice.hour_sales <= MAX_TOLD_SINGLY) {
    return enqueue(trx, 'send-sale', { purchaseId }, now);
  }
  let { gathering_id: gatheringId } = choice;
  if (gatheringId === null) {
    gatheringId = randomUUID();
    await trx
      .updateTable('notification_choice')
      .set({ gathering_id: gatheringId })
      .where('owner_id', '=', ownerId)
      .execute();
    const isDay = choice.sales === 'daily';
    const dueAt = isDay ? (dayOf(now) + 1) * DAY_MS : choice.hour_from + HOUR_MS;
    await enqueue(trx, 'send-sales', { ownerId, gatheringId, isDay }, now, dueAt);
  }
  await insertGathered(trx, { purchase_id: purchaseId, gathering_id: gatheringId });
}

const insertGathered = prepare(
  (db, { purchase_id, gathering_id }: Insertable<Tables['gathered_sale']>) =>
    db.insertInto('gathered_sale').values({ purchase_id, gathering_id }),
);

interface CountedSale extends StoredChoice {
  /** Whether a browser of the seller's is to show it. */
  hasBrowsers: SqlBool;
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

/**
 * Holds the row to the end of the transaction, so that no sale is left to an email under way: against
 * that email alone, once an hour's first sales are counted, because all sales of a seller would wait.
 */
async function countSale(
  trx: DatabaseTransaction,
  ownerId: string,
  now: number,
): Promise<CountedSale> {
  const count = dialectOf(trx) === 'postgres' ? joinOrCount : countAlways;
  const [choice] = await count(trx, ownerId, now, now - HOUR_MS);
  if (!choice) throw new Error(`A sale of ${ownerId} was not counted`);
  return choice;
}

/** What a sale makes of the row: one more of its hour, or the first of a new one. */
const counted = (hourAgo: number) => {
  const isOver = sql<boolean>`notification_choice.hour_from <= ${hourAgo}`;
  return {
    hour_from: sql<number>`case when ${isOver} then excluded.hour_from
      else notification_choice.hour_from end`,
    hour_sales: sql<number>`case when ${isOver} then 1 else notification_choice.hour_sales + 1 end`,
  };
};

const browsersOf = (db: Pick<Database, 'selectFrom'>, ownerId: string) =>
  db.selectFrom('notified_browser').where('owner_id', '=', ownerId).select('session_id');

const countAlways = prepare((db, ownerId: string, now: number, hourAgo: number) =>
  db
    .insertInto('notification_choice')
    .values({ owner_id: ownerId, hour_from: now, hour_sales: 1 })
    .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(counted(hourAgo)))
    .returningAll()
    .returning(({ exists }) => exists(browsersOf(db, ownerId)).as('hasBrowsers')),
);

const joinOrCount = prepare((db, ownerId: string, now: number, hourAgo: number) =>
  db
    .with('joined', (read) =>
      read
        .selectFrom('notification_choice')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('hour_from', '>', hourAgo)
        .where('hour_sales', '>', MAX_TOLD_SINGLY)
        .where(({ eb, or }) => or([eb('gathering_id', 'is not', null), eb('sales', '=', 'none')]))
        .forShare()
        // Whoever had waited for it would hold a lock that the count of another sale waits for.
        .skipLocked(),
    )
    .with('counted', (write) =>
      write
        .insertInto('notification_choice')
        .columns(['owner_id', 'hour_from', 'hour_sales'])
        .expression(
          write
            .selectNoFrom([
              sql<string>`cast(${ownerId} as text)`.as('owner_id'),
              sql<number>`cast(${now} as bigint)`.as('hour_from'),
              sql<number>`1`.as('hour_sales'),
            ])
            .where(({ exists, not }) =>
              not(exists(write.selectFrom('joined').select('joined.owner_id'))),
            ),
        )
        .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(counted(hourAgo)))
        .returningAll(),
    )
    .selectFrom((either) =>
      either
        .selectFrom('joined')
        .selectAll()
        .unionAll(either.selectFrom('counted').selectAll())
        .as('choice'),
    )
    .selectAll()
    .select(({ exists }) => exists(browsersOf(db, ownerId)).as('hasBrowsers')),
);
