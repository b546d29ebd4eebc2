import { sql } from 'kysely';
import { formatCents } from '../../../contract/money.ts';
import { NO_PAYMENT } from '../../books/ledger/record-sale.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../ground/lib/time.ts';
import { selectPurchases } from '../../selling/purchases/queries.ts';
import { IMPORTED } from '../../selling/purchases/tables.ts';
import { listGaps } from './catch-up.ts';
import { findWrongProviderBooks } from './check-provider-books.ts';
import { findWrongStatistics, type WrongSum } from './check-statistics.ts';
import { sumBalances } from './kept-sums.ts';

const CHECKS = [
  findWrongEntries,
  findWrongBalances,
  findOrphanedBalances,
  findWrongSales,
  findWrongRefunds,
  findWrongDisputes,
  findWrongCosts,
  findWrongReserves,
  findWrongGrants,
  findEmptyGrants,
  findWrongStatistics,
  findWrongProviderBooks,
  findDeadJobs,
];

/**
 * Recomputes the books from their lines and lists every error found, one sentence each, and every
 * job that was given up, because what it should have done is missing.
 * @param onChecked told after each check, of which each may take minutes
 */
export async function checkLedger(db: Database, onChecked = () => {}): Promise<string[]> {
  const faults: string[] = [];
  for (const check of CHECKS) {
    faults.push(...(await check(db)));
    onChecked();
  }
  return faults;
}

/** The provider's books are imported every hour: two imports may fail. */
const IMPORTED_WITHIN_MS = 3 * HOUR_MS;

/**
 * What should have happened by now, a sentence each: events are handled within an hour, the
 * provider says what a sale cost within a day, and its books are imported within three hours.
 * @param now UTC milliseconds
 */
export async function findOverdue(db: Database, now: number): Promise<string[]> {
  const events = await db
    .selectFrom('webhook_event')
    .where('handled_at', 'is', null)
    .where('received_at', '<', now - HOUR_MS)
    .orderBy('received_at')
    .select(['id', 'type', 'received_at'])
    .execute();
  const sales = await selectPurchases(db)
    .where('settled_at', '<', now - DAY_MS)
    .where('provider_account', '!=', IMPORTED)
    .where('price_cents', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger_entry')
            .whereRef('ledger_entry.purchase_id', '=', 'purchase.id')
            .where('ledger_entry.kind', '=', 'processing_cost')
            .select('ledger_entry.id'),
        ),
      ),
    )
    .orderBy('settled_at')
    .execute();
  return [
    ...events.map(
      ({ id, type, received_at }) =>
        `Event ${id} (${type}) arrived at ${isoTime(received_at)} and has not been handled.`,
    ),
    ...sales.map(
      ({ id, payment_intent_id }) =>
        `Purchase ${id} was paid more than a day ago, and what payment ${payment_intent_id} cost is not booked.`,
    ),
    ...(await findStoppedImport(db, now)),
    ...(await findUnreadEvents(db)),
  ];
}

/** What happened while nobody asked, for longer than the provider lists its events. */
async function findUnreadEvents(db: Database): Promise<string[]> {
  return (await listGaps(db)).map(
    ({ beganAt, endedAt }) =>
      `The payment provider listed no events from ${isoTime(beganAt)} to ${isoTime(endedAt)}, and lists none older than 30 days: run reconcile --since ${isoTime(beganAt).slice(0, 10)}.`,
  );
}

/** Whether the provider's books are imported no more: then nothing else here can be relied on. */
async function findStoppedImport(db: Database, now: number): Promise<string[]> {
  const { at } = await db
    .selectFrom('provider_books')
    .select(({ fn }) => fn.max('imported_until').as('at'))
    .executeTakeFirstOrThrow();
  const { since } = await db
    .selectFrom('purchase')
    .where('provider_account', '!=', IMPORTED)
    .select(({ fn }) => fn.min('settled_at').as('since'))
    .executeTakeFirstOrThrow();
  const last = at ?? since;
  if (last === null || last >= now - IMPORTED_WITHIN_MS) return [];
  const imported =
    at === null ? 'have never been imported' : `were last imported at ${isoTime(at)}`;
  return [
    `The provider's books ${imported}, and should be every hour: look for "could not be imported" in the log, or run ledger reconcile.`,
  ];
}

/** Jobs that were given up: something that should have followed a payment did not. */
async function findDeadJobs(db: Database): Promise<string[]> {
  const dead = await db
    .selectFrom('job')
    .where('died_at', 'is not', null)
    .orderBy('created_at')
    .select(['id', 'kind', 'attempts', 'last_error'])
    .execute();
  return dead.map(
    ({ id, kind, attempts, last_error }) =>
      `Job ${id} (${kind}) was given up (failed tries: ${attempts}): ${last_error}`,
  );
}

/** Grants of sold files whose version has no file, and of bundles without parts. */
async function findEmptyGrants(db: Database): Promise<string[]> {
  const { rows } = await sql<{ purchase_id: string; link_id: string; state: string }>`
    select g.purchase_id, g.link_id, g.state
    from access_grant g
    join link l on l.id = g.link_id
    join purchase p on p.id = g.purchase_id
    where g.state <> 'ended' and (
      l.type = 'file' and not exists (
        select 1 from link_file f where f.link_id = p.link_id and f.version = p.content_version)
      or l.type = 'bundle' and not exists (
        select 1 from purchase_part b where b.purchase_id = p.id)
    )`.execute(db);
  return rows.map(
    ({ purchase_id, link_id, state }) =>
      `The grant of purchase ${purchase_id} of link ${link_id} is ${state}, but includes nothing.`,
  );
}

/** Kept balances that differ from the sum of their creator's lines. */
export async function findWrongBalances(db: Database): Promise<string[]> {
  return (await listWrongBalances(db)).map(({ says }) => says);
}

export async function listWrongBalances(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{ owner_id: string; mode: string; kept: number; sum: number }>`
    select coalesce(b.owner_id, s.owner_id) as owner_id, coalesce(b.mode, s.mode) as mode,
      coalesce(b.balance_cents, 0) as kept, coalesce(s.sum, 0) as sum
    from user_balance b full join (${sumBalances()}) s on s.owner_id = b.owner_id and s.mode = b.mode
    where coalesce(b.balance_cents, 0) <> coalesce(s.sum, 0)`.execute(db);
  return rows.map(({ owner_id, mode, kept, sum }) => ({
    says: `Balance of ${owner_id} (${mode}) is ${kept}, its lines sum to ${sum}: run ledger rebuild.`,
    of: { ownerId: owner_id },
  }));
}

/** What is owed to accounts that were deleted, or by them: nobody would ask for it. */
async function findOrphanedBalances(db: Database): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string; mode: string; balance_cents: number }>`
    select b.owner_id, b.mode, b.balance_cents
    from user_balance b left join "user" u on u.id = b.owner_id
    where u.id is null and b.balance_cents <> 0 order by b.owner_id`.execute(db);
  return rows.map(({ owner_id, mode, balance_cents: cents }) =>
    cents > 0
      ? `The deleted account ${owner_id} (${mode}) is owed $${formatCents(cents)}: refund its buyers, or pay it and record that with ledger payout.`
      : `The deleted account ${owner_id} (${mode}) owes $${formatCents(-cents)}: record what it paid, or that it never will, with ledger write-off.`,
  );
}

/** Purchases to which disputes brought back more than they took. */
async function findWrongDisputes(db: Database): Promise<string[]> {
  const { rows } = await sql<{ purchase_id: string; sum: number }>`
    select e.purchase_id, sum(l.amount_cents) as sum
    from ledger_entry e join ledger_line l on l.entry_id = e.id
    where e.kind in ('dispute', 'dispute_reversal') and l.account = 'creator'
    group by e.purchase_id
    having sum(l.amount_cents) > 0`.execute(db);
  return rows.map(
    (row) =>
      `Purchase ${row.purchase_id} gained ${row.sum} cents from disputes, which can only deduct.`,
  );
}

/**
 * Sales of which the creator bears more than the provider kept: processing cost, of which a share
 * goes with each refund that stands, and dispute fees. The shares of refunds that fail are rounded
 * each.
 */
export async function findWrongCosts(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; account: string; borne: number; kept: number }>`
    with refunded as (
      select e.purchase_id, sum(l.amount_cents) as cents,
        sum(case e.kind when 'refund_reversal' then 1 else 0 end) as failed
      from ledger_entry e join ledger_line l on l.entry_id = e.id and l.account = 'provider'
      where e.kind in ('refund', 'refund_reversal') group by e.purchase_id
    ), cost as (
      select e.purchase_id as id, l.account,
        sum(case when e.kind in ('refund', 'refund_reversal', 'refund_cost', 'dispute_fee')
          then l.amount_cents else 0 end) as borne,
        sum(case when e.kind in ('processing_cost', 'dispute', 'dispute_reversal')
          then -l.amount_cents else 0 end) as kept
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where l.account in ('processing_cost', 'dispute_fee') group by e.purchase_id, l.account
    )
    select c.id, c.account, c.borne, c.kept
    from cost c left join refunded r on r.purchase_id = c.id
    where c.borne < 0 or c.borne > c.kept + coalesce(r.failed, 0)
      or (c.account = 'processing_cost' and coalesce(r.cents, 0) = 0 and c.borne <> 0)`.execute(db);
  return rows.map(
    ({ id, account, borne, kept }) =>
      `The creator of purchase ${id} bears ${borne} of ${kept} cents of ${account}.`,
  );
}

/**
 * Entries whose lines are not whole cents that sum to zero in each currency, that have no second
 * side, or lack lines they were written with.
 */
export async function findWrongEntries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; line_count: number; lines: number; sum: number }>`
    with summed as (
      select e.id, e.line_count, coalesce(sum(l.amount_cents), 0) as sum,
        count(l.entry_id) as lines,
        sum(case when cast(l.amount_cents as bigint) <> l.amount_cents then 1 else 0 end) as broken
      from ledger_entry e left join ledger_line l on l.entry_id = e.id
      group by e.id, e.line_count, l.currency
    )
    select id, line_count, sum(lines) as lines,
      case when min(sum) < 0 then min(sum) else max(sum) end as sum
    from summed group by id, line_count
    having min(sum) <> 0 or max(sum) <> 0 or sum(lines) < 2 or sum(lines) <> line_count
      or sum(broken) > 0`.execute(db);
  return rows.map(({ id, line_count, lines, sum }) => {
    if (Number(sum) !== 0) return `Entry ${id} sums to ${sum} cents instead of 0.`;
    return Number(lines) === line_count
      ? `Entry ${id} does not consist of two or more lines in whole cents.`
      : `Entry ${id} has ${lines} of the ${line_count} lines it was written with.`;
  });
}

/** Reserves of more than the creator's part of a sale. */
async function findWrongReserves(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; reserved: number; net: number }>`
    select p.id, r.amount_cents as reserved, p.price_cents - p.fee_cents as net
    from reserve r join purchase p on p.id = r.purchase_id
    where r.amount_cents <= 0 or r.amount_cents > p.price_cents - p.fee_cents
      or r.owner_id <> p.seller_id or r.mode <> p.mode`.execute(db);
  return rows.map(
    ({ id, reserved, net }) =>
      `Purchase ${id} has ${reserved} cents in reserve, of the ${net} that its creator got for it.`,
  );
}

interface Faulty {
  id: string;
  settled: number;
  grants: number;
  state: string | null;
  left_cents: number;
  withheld_cents: number;
}

/**
 * Grants that do not follow the books, which know nothing of imported ones: there is one for each settled purchase, and it is active
 * exactly when something of the price was kept, if there was one, and disputes took no more than they gave back. A
 * dispute that took nothing yet suspends it as well; of it there is a reserve. It suspends all that was
 * paid at once, though it may be about less than their number of cents.
 */
async function findWrongGrants(db: Database): Promise<string[]> {
  const { rows } = await sql<Faulty>`
    with moved as (
      select e.purchase_id,
        sum(case when l.account = 'provider' and e.kind in ('refund', 'refund_reversal')
          then l.amount_cents else 0 end) as refunded,
        sum(case when l.account = 'creator' and e.kind in ('dispute', 'dispute_reversal')
          then -l.amount_cents else 0 end) as withheld
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      group by e.purchase_id
    ), holding as (
      select p.id, p.provider_account, p.price_cents,
        case when p.settled_at is null then 0 else 1 end as settled,
        count(g.id) as grants, min(g.state) as state,
        p.price_cents + p.tax_cents - coalesce(min(m.refunded), 0) as left_cents,
        coalesce(min(m.withheld), 0) as withheld_cents,
        coalesce(min(r.amount_cents), 0) as reserved_cents,
        p.payment_id
      from purchase p
      left join access_grant g on g.purchase_id = p.id
      left join moved m on m.purchase_id = p.id
      left join reserve r on r.purchase_id = p.id
      group by p.id, p.provider_account, p.settled_at, p.price_cents, p.tax_cents, p.payment_id
    ), held as (
      select h.*, sum(withheld_cents + reserved_cents) over (partition by payment_id) as held_cents
      from holding h
    )
    select * from held
    where grants <> settled or provider_account <> ${IMPORTED} and (
      (state = 'active' and (price_cents > 0 and left_cents <= 0 or withheld_cents > 0))
      or (state = 'suspended' and (left_cents <= 0 or held_cents <= 0))
      or (state = 'ended' and left_cents > 0 and withheld_cents <= 0))`.execute(db);
  return rows.map(describe);
}

function describe({ id, settled, grants, state, left_cents, withheld_cents }: Faulty): string {
  if (Number(grants) !== settled) {
    return `Purchase ${id} has ${grants} grants and is ${settled ? '' : 'not '}settled.`;
  }
  const refund = left_cents > 0 ? 'not fully refunded' : 'fully refunded';
  const dispute = withheld_cents > 0 ? 'a dispute that holds its money' : 'no dispute';
  return `The grant of purchase ${id} is ${state}, but it is ${refund} and has ${dispute}.`;
}

/**
 * Purchases refunded beyond what was paid or with another part of the fee or the tax than their
 * share, and refunds that were reversed without having been booked.
 */
export async function findWrongRefunds(db: Database): Promise<string[]> {
  return [...(await wrongSums(db)), ...(await wrongReversals(db))];
}

async function wrongSums(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
    total: number;
    refunded: number;
    fee: number;
    tax: number;
  }>`
    with refunded as (
      select p.id, p.price_cents as price, p.fee_cents, p.tax_cents,
        p.price_cents + p.tax_cents as total,
        cast(sum(case when l.account = 'provider' then l.amount_cents else 0 end) as bigint)
          as refunded,
        cast(sum(case when l.account = 'platform_fee' then -l.amount_cents else 0 end) as bigint)
          as fee,
        cast(sum(case when l.account = 'tax_payable' then -l.amount_cents else 0 end) as bigint)
          as tax
      from ledger_entry e
      join purchase p on p.id = e.purchase_id
      join ledger_line l on l.entry_id = e.id
      where e.kind in ('refund', 'refund_reversal')
      group by p.id, p.price_cents, p.fee_cents, p.tax_cents
    )
    select id, total, refunded, fee, tax from refunded
    where refunded < 0 or refunded > total
      or tax <> (2 * tax_cents * refunded + total) / (2 * total)
      or fee <> (2 * fee_cents * (refunded - tax) + price) / (2 * price)`.execute(db);
  return rows.map(({ id, total, refunded, fee, tax }) =>
    refunded < 0 || refunded > total
      ? `Purchase ${id} has ${refunded} of ${total} cents refunded.`
      : `Purchase ${id}, with ${refunded} of ${total} cents refunded, returned ${fee} of its fee and ${tax} of its tax.`,
  );
}

async function wrongReversals(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ledger_entry e
    left join ledger_entry refund
      on refund.cause = 'refund:' || substr(e.cause, 17) and refund.purchase_id = e.purchase_id
    where e.kind = 'refund_reversal' and refund.id is null`.execute(db);
  return rows.map(({ id }) => `Entry ${id} reverses a refund that is not booked.`);
}

/** Settled purchases without exactly one sale that matches price and fee, and others with one. */
async function findWrongSales(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; sales: number; matching: number }>`
    with sale as (
      select e.id, e.purchase_id, e.cause, e.mode, e.currency, e.provider_account,
        sum(case when l.account = 'provider' then -l.amount_cents else 0 end) as gross,
        sum(case when l.account = 'platform_fee' then l.amount_cents else 0 end) as fee,
        sum(case when l.account = 'tax_payable' then l.amount_cents else 0 end) as tax,
        min(l.owner_id) as seller_id
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where e.kind = 'sale'
      group by e.id, e.purchase_id, e.cause, e.mode, e.currency, e.provider_account
    ), matched as (
      select p.id, p.settled_at, p.provider_account, count(s.id) as sales, sum(case
        when s.cause = 'sale:' || coalesce(y.payment_intent_id, ${NO_PAYMENT})
          and s.gross = p.price_cents + p.tax_cents
          and s.fee = p.fee_cents and s.tax = p.tax_cents and s.seller_id = p.seller_id and s.mode = p.mode
          and s.currency = p.currency and s.provider_account = p.provider_account
        then 1 else 0 end) as matching
      from purchase p
      left join payment y on y.id = p.payment_id
      left join sale s on s.purchase_id = p.id
      group by p.id, p.settled_at, p.provider_account
    )
    select id, sales, matching from matched
    where sales <> case when settled_at is null or provider_account = ${IMPORTED} then 0 else 1 end
      or sales <> matching
    union all
    select s.id, 1, 0 from sale s left join purchase p on p.id = s.purchase_id
    where p.id is null`.execute(db);
  return rows.map(
    ({ id, sales, matching }) =>
      `Purchase ${id} has ${sales} sale entries, and ${matching} that match it.`,
  );
}
