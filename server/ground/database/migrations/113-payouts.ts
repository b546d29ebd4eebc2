import { type Kysely, sql } from 'kysely';

/** What creators ask for of their balance, and the accounts it is sent to. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table payout_account (
    owner_id text not null,
    mode text not null,
    account_id text not null unique,
    is_ready integer not null,
    missing text not null,
    bank_account text,
    changed_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    constraint payout_account_key primary key (owner_id, mode)
  )`,
  `create table payout (
    id text primary key,
    owner_id text not null,
    mode text not null,
    provider_account text not null,
    account_id text not null,
    bank_account text,
    amount_cents bigint not null,
    cost_cents bigint not null,
    state text not null,
    approved_at bigint,
    note text,
    asked_at bigint,
    transfer_id text,
    sent_id text,
    tries integer not null,
    failures integer not null,
    try_at bigint,
    returning_because text,
    requested_at bigint not null,
    changed_at bigint not null
  )`,
  'create index payout_of_owner on payout (owner_id, mode, requested_at, id)',
  // Few among many: what is under way is looked at again and again.
  `create index payout_under_way on payout (id)
    where state in ('requested', 'sent', 'failed')`,
  // The sales that the provider has not made available: few of them are past the hold.
  `create index provider_transaction_unavailable on provider_transaction
    (available_on, created_at, cause) where subject = 'sale'`,
];
