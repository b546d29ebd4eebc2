import { sql } from 'kysely';
import type { ProviderAccount } from '../../books/ledger/record-transaction.ts';
import { selectLines } from '../../books/ledger/select-lines.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS } from '../../ground/lib/time.ts';

/** How long the provider's books and ours may differ, because one learns later than the other. */
const PATIENCE_MS = DAY_MS;

/** How the provider's books differ from ours, one sentence each. */
export async function findWrongProviderBooks(db: Database): Promise<string[]> {
  return [
    ...(await findWrongExplanations(db)),
    ...(await findUnknownToProvider(db)),
    ...(await findSuspense(db)),
  ];
}

/** What the entries that explain each transaction move at the provider, by their currency. */
const MOVED_BY_TRANSACTION = sql`
    explaining as (
      select id, 'balance_transaction:' || id as cause from provider_transaction
      union all select id, 'balance_transaction:' || id || ':matched' from provider_transaction
      union all select id, cause from provider_transaction where matched = 1
      union all select id, 'processing_cost:' || substr(cause, 6) from provider_transaction
        where matched = 1 and subject = 'sale'
    ), moved as (
      select x.id, l.currency, -sum(l.amount_cents) as cents
      from explaining x
      join ledger_entry e on e.cause = x.cause
      join ledger_line l on l.entry_id = e.id and l.account = 'provider'
      group by x.id, l.currency
    )`;

/** Transactions whose entries move the account `provider` by another amount than their net. */
async function findWrongExplanations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; net: number; currency: string; booked: number }>`
    with ${MOVED_BY_TRANSACTION}, booked as (
      select t.id, t.net_cents as net, t.currency,
        coalesce(sum(case when m.currency = t.currency then m.cents else 0 end), 0) as booked,
        coalesce(sum(case when m.currency <> t.currency then m.cents else 0 end), 0) as abroad
      from provider_transaction t left join moved m on m.id = t.id
      group by t.id, t.net_cents, t.currency
    )
    select id, net, currency, booked from booked where booked <> net or abroad <> 0
    order by id`.execute(db);
  return rows.map(
    ({ id, net, currency, booked }) =>
      `Transaction ${id} moved ${net} cents (${currency}) at the provider, and ${booked} in the books.`,
  );
}

/** Money that only our books say is at the provider, or is not, a day before the last import. */
async function findUnknownToProvider(db: Database): Promise<string[]> {
  const found = await listInTransit(db);
  return found
    .filter(({ created_at, imported_until }) => created_at < imported_until - PATIENCE_MS)
    .map(
      ({ cause, cents, currency }) =>
        `Entry ${cause} moved ${cents} cents (${currency}) that the provider's books do not show.`,
    );
}

export interface InTransit {
  cause: string;
  /** What the provider has more by our books, in its cents. */
  cents: number;
  currency: string;
  mode: string;
  provider_account: string;
  created_at: number;
  imported_until: number;
}

/** Entries that move the account `provider` and that no imported transaction stands behind yet. */
export async function listInTransit(db: Database): Promise<InTransit[]> {
  const { rows } = await sql<InTransit>`
    select e.cause, l.currency, -sum(l.amount_cents) as cents, b.mode, b.provider_account,
      e.created_at, b.imported_until
    from ledger_entry e
    join ledger_line l on l.entry_id = e.id and l.account = 'provider'
    join provider_books b on b.provider_account = e.provider_account and b.mode = e.mode
    where not exists (
      select 1 from provider_transaction t where t.matched = 1 and t.cause =
        case e.kind when 'processing_cost' then 'sale:' || substr(e.cause, 17) else e.cause end
    ) and not exists (
      select 1 from provider_transaction t where t.id =
        case e.kind when 'provider_transaction'
          then replace(substr(e.cause, 21), ':matched', '') end
    )
    group by e.cause, l.currency, b.mode, b.provider_account, e.created_at, b.imported_until
    having sum(l.amount_cents) <> 0
    order by e.created_at, e.cause`.execute(db);
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
}

/** Money that nobody has said for a day what it is. */
async function findSuspense(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; type: string; net_cents: number; currency: string }>`
    select t.id, t.type, t.net_cents, t.currency
    from provider_transaction t
    join provider_books b on b.provider_account = t.provider_account and b.mode = t.mode
    where t.state = 'suspense' and t.imported_at < b.imported_until - ${PATIENCE_MS}
    order by t.created_at, t.id`.execute(db);
  return rows.map(
    ({ id, type, net_cents, currency }) =>
      `Transaction ${id} (${type}, net ${net_cents} cents, ${currency}) is in suspense: no purchase explains it. If it is none of Padlink's business: npm run cli -- ledger clear ${id}`,
  );
}

interface ComparedDay {
  /** Whole UTC days since 1970. */
  day: number;
  currency: string;
  /** What came in, less what went out, in the cents of the currency. */
  providerCents: number;
  bookedCents: number;
}

/** The books of the provider and ours day by day, by the provider's own time of each transaction. */
export async function compareDays(
  db: Database,
  { mode, account }: ProviderAccount,
  { from, until }: { from: number; until: number },
): Promise<ComparedDay[]> {
  const { rows } = await sql<ComparedDay>`
    with ${MOVED_BY_TRANSACTION}, compared as (
      select created_at / ${sql.lit(DAY_MS)} as day, currency, net_cents as provider, 0 as booked
      from provider_transaction
      where mode = ${mode} and provider_account = ${account}
        and created_at >= ${from} and created_at < ${until}
      union all
      select t.created_at / ${sql.lit(DAY_MS)}, m.currency, 0, m.cents
      from provider_transaction t join moved m on m.id = t.id
      where t.mode = ${mode} and t.provider_account = ${account}
        and t.created_at >= ${from} and t.created_at < ${until}
    )
    select day, currency, sum(provider) as "providerCents", sum(booked) as "bookedCents"
    from compared group by day, currency
    having sum(provider) <> 0 or sum(booked) <> 0
    order by day, currency`.execute(db);
  return rows.map((row) => ({
    ...row,
    day: Number(row.day),
    providerCents: Number(row.providerCents),
    bookedCents: Number(row.bookedCents),
  }));
}

/** What the account `provider` holds by our books, by currency, in its cents. */
export async function readBookedBalance(
  db: Database,
  { mode, account }: ProviderAccount,
): Promise<Map<string, number>> {
  const sums = await selectLines(db)
    .where('ledger_entry.mode', '=', mode)
    .where('ledger_entry.provider_account', '=', account)
    .where('ledger_line.account', '=', 'provider')
    .groupBy('ledger_line.currency')
    .select(({ fn }) => [
      'ledger_line.currency',
      fn.sum<number | string>('amount_cents').as('cents'),
    ])
    .execute();
  return new Map(sums.map(({ currency, cents }) => [currency, 0 - Number(cents)]));
}
