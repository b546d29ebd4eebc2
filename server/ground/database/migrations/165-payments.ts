import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * What is paid at once has a row. Before, each line of a cart had a name of its own for the session, the
 * payment, refunds and disputes that it shared with the others: the provider's, a colon and its number.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const run = async (statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  if (!isSqlite) await run(POSTGRES_LOCK);
  await run(PAYMENTS);
  if (isSqlite) {
    await run(BOOKS.map((action) => `drop trigger ledger_entry_no_${action}`));
    for (const [table, edits] of KEYS) await rebuild(db, table, edits);
    await run(SHARED_NAMES);
    await rebuild(db, 'purchase', PURCHASE);
    await run(LOCKS);
  } else {
    await run(POSTGRES_KEYS);
    await run(SHARED_NAMES);
    await run(POSTGRES_PURCHASE);
  }
  await run(INDEXES);
  if (isSqlite) await requireReferences(db);
}

/** Another process writes nothing meanwhile that the copies below would not see. */
const POSTGRES_LOCK = [
  `lock table purchase, refund, dispute, ledger_entry, provider_transaction, job
    in access exclusive mode`,
];

/** What a line's own name has beyond the provider's. */
const without = (name: string) =>
  `case when p.cart_id is null then ${name}
    else substr(${name}, 1, length(${name}) - length(':' || p.cart_line)) end`;

const PAYMENTS = [
  `create table payment (
    id text primary key,
    session_id text not null unique,
    checkout_url text,
    payment_intent_id text unique
  )`,
  `insert into payment (id, session_id, checkout_url, payment_intent_id)
    select coalesce(p.cart_id, p.id), ${without('p.session_id')}, p.checkout_url,
      ${without('p.payment_intent_id')}
    from purchase p where p.session_id is not null and not exists (
      select 1 from purchase before where before.cart_id = p.cart_id
        and before.cart_line < p.cart_line and before.session_id is not null)`,
  `update job set payload = (
      select '{"sessionId":"' || ${without('p.session_id')} || '"}' from purchase p
      where job.payload = '{"sessionId":"' || p.session_id || '"}')
    where kind = 'expire-checkout' and exists (
      select 1 from purchase p
      where p.cart_id is not null and job.payload = '{"sessionId":"' || p.session_id || '"}')`,
  `update job set payload = (
      select '{"disputeId":"' || substr(d.id, 1, length(d.id) - length(':' || p.cart_line)) || '"}'
      from purchase p join dispute d on d.purchase_id = p.id
      where p.cart_id is not null and job.payload = '{"disputeId":"' || d.id || '"}')
    where kind = 'attach-evidence' and exists (
      select 1 from purchase p join dispute d on d.purchase_id = p.id
      where p.cart_id is not null and job.payload = '{"disputeId":"' || d.id || '"}')`,
  `update job set payload = (
      select '{"refundId":"' || substr(r.id, 1, length(r.id) - length(':' || p.cart_line))
        || '","purchaseId":"' || p.id || '"}'
      from purchase p join refund r on r.purchase_id = p.id
      where p.cart_id is not null and job.payload = '{"refundId":"' || r.id || '"}')
    where kind like 'send-%' and exists (
      select 1 from purchase p join refund r on r.purchase_id = p.id
      where p.cart_id is not null and r.id like '%:' || p.cart_line
        and job.payload = '{"refundId":"' || r.id || '"}')`,
];

/** What refuses that an entry is changed. */
const BOOKS = ['update', 'delete'];
const LOCKS = BOOKS.map(
  (action) => `create trigger ledger_entry_no_${action} before ${action} on ledger_entry
    begin select raise(abort, 'the ledger is append-only'); end`,
);

type Edits = [from: RegExp, to: string][];

const keyOf = (table: string): Edits => [
  [/id text primary key/, 'id text not null'],
  [/\)\s*$/, `, constraint ${table}_key primary key (id, purchase_id))`],
];

/** SQLite changes no key of a table that is there. */
const KEYS: [table: string, edits: Edits][] = [
  ['ledger_entry', [[/cause text not null unique/, 'cause text not null']]],
  ['refund', keyOf('refund')],
  ['dispute', keyOf('dispute')],
];

const PURCHASE: Edits = [
  [/session_id text unique,\s*/, ''],
  [/checkout_url text,\s*/, ''],
  [/payment_intent_id text unique,\s*/, ''],
  [/("?payment_id"? text)/, '$1 not null'],
  [/("?line"? integer)/, '$1 not null'],
];

/** Foreign keys are not looked at meanwhile: `migrate` sees to that. */
export async function rebuild(db: Kysely<never>, table: string, edits: Edits): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select sql as text from sqlite_schema
    where tbl_name = ${table} and sql is not null order by type = 'table' desc`.execute(db);
  const [found, ...others] = rows;
  let text = (found?.text ?? '').replace(/^create table "?\w+"?/i, `create table ${table}_anew`);
  for (const [from, to] of edits) {
    if (!from.test(text)) throw new Error(`The table ${table} is not as it was made: ${from}`);
    text = text.replace(from, to);
  }
  await sql.raw(text).execute(db);
  const { rows: columns } = await sql<{ name: string }>`
    select name from pragma_table_info(${`${table}_anew`})`.execute(db);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const statements = [
    `insert into ${table}_anew (${names}) select ${names} from ${table}`,
    `drop table ${table}`,
    `alter table ${table}_anew rename to ${table}`,
    ...others.map((other) => other.text),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function requireReferences(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
  if (rows.length > 0) throw new Error(`Rows of ${rows[0]?.table} refer to none`);
}

const POSTGRES_KEYS = [
  'alter table ledger_entry disable trigger ledger_entry_no_update',
  'alter table ledger_entry drop constraint ledger_entry_cause_key',
  'alter table refund drop constraint refund_pkey',
  'alter table refund add constraint refund_key primary key (id, purchase_id)',
  'alter table dispute drop constraint dispute_pkey',
  'alter table dispute add constraint dispute_key primary key (id, purchase_id)',
];

const SHARED_NAMES = [
  ...['refund', 'dispute'].map(
    (table) => `update ${table} set id = substr(id, 1, length(id) - (
        select length(':' || p.cart_line) from purchase p where p.id = ${table}.purchase_id))
      where exists (
        select 1 from purchase p where p.id = ${table}.purchase_id and p.cart_id is not null
          and ${table}.id like '%:' || p.cart_line)`,
  ),
  `update ledger_entry set cause = substr(cause, 1, length(cause) - (
      select length(':' || p.cart_line) from purchase p where p.id = ledger_entry.purchase_id))
    where kind <> 'provider_transaction' and exists (
      select 1 from purchase p where p.id = ledger_entry.purchase_id and p.cart_id is not null
        and ledger_entry.cause like '%:' || p.cart_line)`,
  'drop index purchase_of_cart',
  'alter table purchase rename column cart_id to payment_id',
  'alter table purchase rename column cart_line to line',
  'update purchase set payment_id = id, line = 1 where payment_id is null',
  'alter table provider_transaction drop column cart_id',
];

const POSTGRES_PURCHASE = [
  'alter table ledger_entry enable trigger ledger_entry_no_update',
  `alter table purchase drop column session_id, drop column checkout_url,
    drop column payment_intent_id, alter column payment_id set not null,
    alter column line set not null`,
];

const INDEXES = [
  'create unique index purchase_of_payment on purchase (payment_id, line)',
  'create unique index ledger_entry_cause on ledger_entry (cause, purchase_id)',
  `create unique index ledger_entry_cause_alone on ledger_entry (cause)
    where purchase_id is null`,
];
