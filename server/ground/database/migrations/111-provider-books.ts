import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Seals every entry with the number of its lines, and keeps the provider's own books beside ours. */
export async function up(db: Kysely<never>): Promise<void> {
  const database = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  const { allowUpdates, refuseUpdates, seal } = DIALECT[database];
  const statements = [allowUpdates, ...COUNT_LINES, refuseUpdates, ...CURRENCY, ...seal, ...BOOKS];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const COUNT_LINES = [
  'alter table ledger_entry add column line_count integer default 0 not null',
  `update ledger_entry set line_count =
    (select count(*) from ledger_line where ledger_line.entry_id = ledger_entry.id)`,
];

/** Of the lines that were there, every one is in US dollars. */
const CURRENCY = ["alter table ledger_line add column currency text default 'usd' not null"];

const DIALECT = {
  sqlite: {
    allowUpdates: 'drop trigger ledger_entry_no_update',
    refuseUpdates: `create trigger ledger_entry_no_update before update on ledger_entry
      begin select raise(abort, 'the ledger is append-only'); end`,
    // A line or an entry that replaces another would be no update and no delete here.
    seal: [
      `create trigger ledger_line_sealed before insert on ledger_line
        when typeof(new.position) <> 'integer' or new.position < 0
          or new.position >= coalesce(
            (select line_count from ledger_entry where id = new.entry_id), 0)
          or exists (select 1 from ledger_line
            where entry_id = new.entry_id and position = new.position)
        begin select raise(abort, 'the ledger is append-only: the entry is sealed'); end`,
      `create trigger ledger_entry_sealed before insert on ledger_entry
        when exists (select 1 from ledger_entry where id = new.id)
        begin select raise(abort, 'the ledger is append-only: the entry is sealed'); end`,
    ],
  },
  postgres: {
    allowUpdates: 'alter table ledger_entry disable trigger ledger_entry_no_update',
    refuseUpdates: 'alter table ledger_entry enable trigger ledger_entry_no_update',
    seal: [
      `create function refuse_late_line() returns trigger language plpgsql as $$
        begin
          if new.position < 0 or new.position >= coalesce(
            (select line_count from ledger_entry where id = new.entry_id), 0)
          then raise exception 'the ledger is append-only: the entry is sealed';
          end if;
          return new;
        end $$`,
      `create trigger ledger_line_sealed before insert on ledger_line
        for each row execute function refuse_late_line()`,
    ],
  },
};

const BOOKS = [
  // An export reads a range of days.
  'create index ledger_entry_of_time on ledger_entry (created_at, id)',
  // One row for each balance transaction of the provider, and one entry that explains it.
  `create table provider_transaction (
    id text primary key,
    mode text not null,
    provider_account text not null,
    type text not null,
    amount_cents bigint not null,
    fee_cents bigint not null,
    net_cents bigint not null,
    currency text not null,
    exchange_rate double precision,
    source_id text,
    subject text not null,
    cause text unique,
    matched integer not null,
    state text not null,
    entry_id text not null references ledger_entry (id),
    available_on bigint not null,
    created_at bigint not null,
    imported_at bigint not null
  )`,
  'create index provider_transaction_of_time on provider_transaction (created_at, id)',
  // Few among many: what is not explained for good is looked at again every hour.
  `create index provider_transaction_open on provider_transaction (id)
    where state <> 'explained'`,
  // How far the books of an account at the provider have been imported.
  `create table provider_books (
    provider_account text not null,
    mode text not null,
    imported_until bigint not null,
    constraint provider_books_key primary key (provider_account, mode)
  )`,
];
