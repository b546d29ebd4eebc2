import { type Kysely, sql } from 'kysely';

/** What a seller is shown of refunds and disputes, and from where purchases were made and fetched. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // By the id that we gave it, or the provider's where it was made there.
  `create table refund (
    id text primary key,
    purchase_id text not null references purchase (id),
    amount_cents bigint not null,
    state text not null,
    reason text,
    requested_by text,
    created_at bigint not null
  )`,
  'create index refund_of_purchase on refund (purchase_id)',
  `insert into refund (id, purchase_id, amount_cents, state, created_at)
    select substr(entry.cause, 8), entry.purchase_id, line.amount_cents,
      case when exists (
        select 1 from ledger_entry reversal
        where reversal.cause = 'refund_reversal:' || substr(entry.cause, 8)
      ) then 'failed' else 'succeeded' end,
      entry.created_at
    from ledger_entry entry
    join ledger_line line on line.entry_id = entry.id and line.account = 'provider'
    where entry.kind = 'refund'`,
  // By the provider's id.
  `create table dispute (
    id text primary key,
    purchase_id text not null references purchase (id),
    amount_cents bigint not null,
    stage text not null,
    awaits_answer integer not null,
    respond_by bigint,
    evidence text not null,
    evidence_state text not null,
    created_at bigint not null
  )`,
  'create index dispute_of_purchase on dispute (purchase_id)',
  // For evidence in a dispute, and only as long as one may come.
  'alter table purchase add column buyer_address text',
  'alter table purchase add column buyer_browser text',
  'alter table delivery add column address text',
  'alter table delivery add column browser text',
  `create index purchase_with_address on purchase (created_at) where buyer_address is not null`,
  `create index delivery_with_address on delivery (started_at) where address is not null`,
];
