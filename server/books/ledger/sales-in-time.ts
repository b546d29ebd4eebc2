import { type RawBuilder, type Selectable, sql } from 'kysely';
import { MAX_HOLD_DAYS } from '../../../contract/limits.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../ground/lib/time.ts';

/** The shortest time whose sales are summed: in which a hold ends, they are read one by one. */
export const SHORTEST_MS = 5000;

/** The lengths of all such times, the longest first; each is a whole number of the next ones. */
export const LENGTHS_MS = [DAY_MS, 3 * HOUR_MS, 15 * MINUTE_MS, MINUTE_MS, SHORTEST_MS];

/** For how long sums of less than a day are read, and a day more, by which clocks may differ. */
const REACH_MS = (MAX_HOLD_DAYS + 1) * DAY_MS;

const NEWEST = sql<number | null>`(select max(created_at) from ledger_entry)`;

/**
 * Whether a sum can still be read: of the others, all that are shorter than a day may be missing. By
 * the newest entry in place of a clock, so that whoever compares them knows what may have been swept.
 */
export const isInReach = (
  length: RawBuilder<unknown>,
  number: RawBuilder<unknown>,
  availableOn: RawBuilder<unknown>,
) => sql<boolean>`(
  ${length} = ${sql.lit(DAY_MS)}
  or (${number} + 1) * ${length} > ${NEWEST} - ${sql.lit(REACH_MS)}
  or ${availableOn} > ${NEWEST} - ${sql.lit(REACH_MS)})`;

const SELLERS_AT_ONCE = 200;
/** The embedded database serves one at a time: nobody waits for all of it. */
const ROWS_AT_ONCE = 500;

/** Removes the sums that no balance will read again. @param now UTC milliseconds */
export async function sweepSalesInTime(db: Database, now: number): Promise<void> {
  const { newest } = await db.selectNoFrom(NEWEST.as('newest')).executeTakeFirstOrThrow();
  // A clock that was ahead once must not take what is still held.
  const until = Math.min(now, Number(newest ?? 0)) - REACH_MS;
  for (let after = ''; ; ) {
    const sellers = await db
      .selectFrom('user_balance')
      .where('owner_id', '>', after)
      .orderBy('owner_id')
      .limit(SELLERS_AT_ONCE)
      .select('owner_id')
      .distinct()
      .execute();
    const last = sellers.at(-1);
    if (!last) return;
    after = last.owner_id;
    const ids = sellers.map(({ owner_id }) => owner_id);
    for (const length of LENGTHS_MS.slice(1)) {
      while ((await sweepTimes(db, ids, length, until)) >= ROWS_AT_ONCE);
    }
  }
}

/** @returns how many */
async function sweepTimes(
  db: Database,
  ownerIds: string[],
  length: number,
  until: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sales_in_time')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('owner_id', 'mode', 'length_ms', 'number', 'available_on'),
        'in',
        selectFrom('sales_in_time')
          .where('owner_id', 'in', ownerIds)
          .where('mode', 'in', ['test', 'live'])
          .where('length_ms', '=', length)
          .where('number', '<', Math.floor(until / length))
          .where('available_on', '<=', until)
          .limit(ROWS_AT_ONCE)
          // What a sale of long ago changes at this moment stays.
          .$if(dialectOf(db) === 'postgres', (query) => query.forUpdate().skipLocked())
          .select(['owner_id', 'mode', 'length_ms', 'number', 'available_on'])
          .$asTuple('owner_id', 'mode', 'length_ms', 'number', 'available_on'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A sale, as far as its seller's money is concerned. */
export interface HeldSale {
  purchaseId: string;
  ownerId: string;
  mode: 'test' | 'live';
  /** UTC milliseconds. */
  soldAt: number;
}

/** Adds a sale that is booked in the same transaction: nothing is known of it yet. */
export const addWorth = (trx: DatabaseTransaction, sale: HeldSale, cents: number) =>
  addToTimes(trx, sale, 0, difference(0, cents));

/**
 * Keeps the sums of the times that a sale is in after what it is worth to its seller has changed, in
 * the transaction that changed it.
 * @param cents by how much its lines less its reserve are more than before
 */
export async function moveWorth(
  trx: DatabaseTransaction,
  sale: HeldSale,
  cents: number,
): Promise<void> {
  const { worth, availableOn } = await readWorth(trx, sale.purchaseId);
  await addToTimes(trx, sale, availableOn, difference(worth - cents, worth));
}

/**
 * Moves what one payment paid for, as far as it is booked, to the sums of what is available when the
 * provider makes it so. Nothing changes where a sale itself is later, or was moved before.
 * @param cause of its entries
 * @param availableOn UTC milliseconds
 */
export async function moveToAvailability(
  trx: DatabaseTransaction,
  cause: string,
  availableOn: number,
): Promise<void> {
  // Whoever changes what a sale is worth holds its grant.
  const grants = await trx
    .selectFrom('ledger_entry')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'ledger_entry.purchase_id')
    .innerJoin('purchase', 'purchase.id', 'ledger_entry.purchase_id')
    .where('ledger_entry.cause', '=', cause)
    .orderBy('purchase.line')
    .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate('access_grant'))
    .select('access_grant.purchase_id')
    .execute();
  for (const { purchase_id } of grants) await moveToAvailable(trx, purchase_id, availableOn);
}

async function moveToAvailable(
  trx: DatabaseTransaction,
  id: string,
  availableOn: number,
): Promise<void> {
  const purchase = await trx
    .updateTable('purchase')
    .set({ available_on: availableOn })
    .where('id', '=', id)
    .where('settled_at', '<', availableOn)
    .where('available_on', 'is', null)
    .returning(['id', 'seller_id', 'mode', 'settled_at'])
    .executeTakeFirst();
  if (!purchase) return;
  const { id: purchaseId, seller_id: ownerId, mode, settled_at } = purchase;
  const sale = { purchaseId, ownerId, mode, soldAt: settled_at ?? 0 };
  const { worth } = await readWorth(trx, purchaseId);
  await addToTimes(trx, sale, 0, difference(worth, 0));
  await addToTimes(trx, sale, availableOn, difference(0, worth));
}

async function readWorth(
  trx: DatabaseTransaction,
  purchaseId: string,
): Promise<{ worth: number; availableOn: number }> {
  const [row] = await readBooked(trx, purchaseId);
  if (!row) throw new Error(`There is no purchase ${purchaseId}`);
  const worth = Number(row.cents ?? 0) - (row.reserved ?? 0);
  return { worth, availableOn: row.available_on ?? 0 };
}

const readBooked = prepare((db, purchaseId: string) =>
  db
    .selectFrom('purchase')
    .where('purchase.id', '=', purchaseId)
    .select('available_on')
    .select(({ selectFrom }) => [
      selectFrom('ledger_entry')
        .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
        .whereRef('ledger_entry.purchase_id', '=', 'purchase.id')
        .where('ledger_line.owner_id', 'is not', null)
        .select(({ fn }) => fn.sum<number | string>('ledger_line.amount_cents').as('cents'))
        .as('cents'),
      selectFrom('reserve')
        .whereRef('reserve.purchase_id', '=', 'purchase.id')
        .select('reserve.amount_cents')
        .as('reserved'),
    ]),
);

/** What sums gain when a sale is worth other cents: one that brought nothing is not in them. */
function difference(before: number, after: number): { cents: number; sales: number } {
  return {
    cents: Math.max(0, after) - Math.max(0, before),
    sales: Number(after > 0) - Number(before > 0),
  };
}

type Time = Pick<Selectable<Tables['sales_in_time']>, 'length_ms' | 'number' | 'available_on'>;

async function addToTimes(
  trx: DatabaseTransaction,
  sale: HeldSale,
  availableOn: number,
  { cents, sales }: { cents: number; sales: number },
): Promise<void> {
  if (cents === 0 && sales === 0) return;
  const times = LENGTHS_MS.map((length) => ({
    length_ms: length,
    number: Math.floor(sale.soldAt / length),
    available_on: availableOn,
  }));
  const numbers = times.map(({ number }) => number);
  await insertTimes(trx, sale, numbers, { availableOn, cents, sales });
  if (sales < 0) for (const time of times) await findLastSale(trx, sale, time);
}

type Gain = { availableOn: number; cents: number; sales: number };

/** @param numbers of the times, in the order of their lengths */
const insertTimes = prepare(
  (db, { ownerId, mode, soldAt }: HeldSale, numbers: number[], gain: Gain) =>
    db
      .insertInto('sales_in_time')
      .values(
        LENGTHS_MS.map((length, index) => ({
          owner_id: ownerId,
          mode,
          length_ms: length,
          number: numbers[index] ?? 0,
          available_on: gain.availableOn,
          cents: gain.cents,
          sales: gain.sales,
          last_sold_at: soldAt,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['owner_id', 'mode', 'length_ms', 'number', 'available_on'])
          .doUpdateSet((eb) => ({
            cents: eb('sales_in_time.cents', '+', eb.ref('excluded.cents')),
            sales: eb('sales_in_time.sales', '+', eb.ref('excluded.sales')),
            // A row whose sales have all left it keeps the time of one of them.
            last_sold_at: sql`case
              when sales_in_time.sales > 0 and sales_in_time.last_sold_at > excluded.last_sold_at
              then sales_in_time.last_sold_at else excluded.last_sold_at end`,
          })),
      ),
);

/** After a sale has left the sums of its time: it may have been the last one in them. */
async function findLastSale(
  trx: DatabaseTransaction,
  { ownerId, mode, soldAt }: HeldSale,
  { length_ms, number, available_on }: Time,
): Promise<void> {
  const last = await trx
    .selectFrom('ledger_line as sold')
    .innerJoin('ledger_entry as entry', 'entry.id', 'sold.entry_id')
    .innerJoin('purchase as p', 'p.id', 'entry.purchase_id')
    .where('sold.owner_id', '=', ownerId)
    .where('entry.mode', '=', mode)
    .where('sold.sold_at', '>=', number * length_ms)
    .where('sold.sold_at', '<', (number + 1) * length_ms)
    .where(sql<boolean>`coalesce(p.available_on, 0) = ${available_on}`)
    .where(
      sql<boolean>`(
        select sum(l.amount_cents) from ledger_entry e join ledger_line l on l.entry_id = e.id
        where e.purchase_id = p.id and l.owner_id is not null
      ) > coalesce((select amount_cents from reserve where purchase_id = p.id), 0)`,
    )
    .orderBy('sold.sold_at', 'desc')
    .limit(1)
    .select('sold.sold_at')
    .executeTakeFirst();
  await trx
    .updateTable('sales_in_time')
    .set({ last_sold_at: last?.sold_at ?? soldAt })
    .where('owner_id', '=', ownerId)
    .where('mode', '=', mode)
    .where('length_ms', '=', length_ms)
    .where('number', '=', number)
    .where('available_on', '=', available_on)
    .execute();
}
