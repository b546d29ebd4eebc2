import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** A migration never changes once it is released: see docs/decisions/026. */
export async function up(db: Kysely<never>): Promise<void> {
  const database = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  const statements = [
    ...LINKS,
    ...FILES[database],
    ...SEARCH[database],
    ...ACCOUNTS,
    ...PURCHASES,
    ...LEDGER,
    ...APPEND_ONLY[database],
    ...STATISTICS,
    ...OUTBOX,
    ...INSTALLATION,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** What lists show. Each order of them has an index, with the unlisted links apart. */
const ON_SALE = 'deleted_at is null and taken_down_at is null';

const LINKS = [
  // Every id that was ever given out, also those of uploads whose link was never made.
  `create table link_id (
    id text primary key,
    owner_id text not null,
    reserved_at bigint not null
  )`,
  `create table link (
    id text primary key references link_id (id),
    owner_id text not null,
    type text not null,
    title text,
    description text,
    key text,
    url text,
    price_cents bigint not null,
    unlocked integer not null,
    paused integer not null,
    noindex integer default 0 not null,
    unlisted integer default 0 not null,
    cover text,
    cover_width integer,
    cover_height integer,
    size_bytes bigint,
    media_type text,
    version integer not null,
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint,
    taken_down_at bigint,
    constraint link_price check (price_cents > 0),
    constraint link_target check (
      (type = 'file' and key is not null and url is null)
      or (type = 'link' and url is not null and key is null))
  )`,
  // Pages are read by these keys, in both directions, at the same cost at any size.
  `create index link_newest on link (unlisted, created_at, id) where ${ON_SALE}`,
  `create index link_of_owner on link (unlisted, owner_id, created_at, id) where ${ON_SALE}`,
  `create index link_of_type on link (unlisted, type, created_at, id) where ${ON_SALE}`,
  `create index link_price on link (unlisted, price_cents, created_at, id) where ${ON_SALE}`,
  `create index link_price_of_owner
    on link (unlisted, owner_id, price_cents, created_at, id) where ${ON_SALE}`,
  `create index link_price_of_type
    on link (unlisted, type, price_cents, created_at, id) where ${ON_SALE}`,
  // The hourly sweep asks for deleted links: a few among many. Their owners list them.
  'create index link_deleted on link (deleted_at) where deleted_at is not null',
  `create index link_deleted_of_owner
    on link (owner_id, deleted_at, id) where deleted_at is not null`,
  // The address of a picture holds the name of its blob alone.
  'create unique index link_cover on link (cover) where cover is not null',
];

/**
 * @param byBytes how storage keys are collated: so that lists of them and their next pages are the
 * same on both databases
 */
const files = (byBytes: string) => [
  `create table file (
    key text${byBytes} primary key,
    blob text not null unique,
    owner_id text not null,
    link_id text not null references link_id (id),
    name text not null,
    size_bytes bigint not null,
    media_type text not null,
    created_at bigint not null,
    finished_at bigint
  )`,
  'create index file_of_owner on file (owner_id, key)',
  'create index file_of_link on file (link_id)',
  // How much an account stores is added up for each of its uploads.
  'create index file_size_of_owner on file (owner_id, size_bytes, finished_at)',
  // Each new upload asks how much room the running ones will take.
  'create index file_unfinished on file (blob, size_bytes) where finished_at is null',
  `create table link_file (
    link_id text not null references link (id),
    position integer not null,
    file_key text${byBytes} not null references file (key),
    constraint link_file_key primary key (link_id, position)
  )`,
  'create index link_file_of_file on link_file (file_key)',
  // Blobs that this database gave up; they count as stored by their owner until they are gone.
  `create table unneeded_blob (
    blob text primary key,
    due_at bigint not null,
    quarantined_at bigint,
    owner_id text,
    size_bytes bigint
  )`,
  'create index unneeded_blob_of_owner on unneeded_blob (owner_id, size_bytes)',
];

const FILES = { sqlite: files(''), postgres: files(' collate "C"') };

/** The words are cut by the product: each index takes what stands between two spaces. */
const SEARCH = {
  sqlite: [
    `create table link_words (
      number integer primary key,
      link_id text not null unique references link (id),
      words text not null
    )`,
    `create table search_word (
      word text primary key,
      links integer not null
    ) without rowid`,
    `create virtual table link_text using fts5 (
      words, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none
    )`,
    `create trigger link_words_added after insert on link_words begin
      insert into link_text (rowid, words) values (new.number, new.words); end`,
    `create trigger link_words_changed after update on link_words begin
      delete from link_text where rowid = old.number;
      insert into link_text (rowid, words) values (new.number, new.words); end`,
  ],
  postgres: [
    `create table link_words (
      link_id text primary key references link (id),
      words text not null
    )`,
    // By bytes: the beginnings of words are one range.
    `create table search_word (
      word text collate "C" primary key,
      links integer not null
    )`,
    // Without a list of pending entries, which every search would have to read through.
    `create index link_text on link_words
      using gin (array_to_tsvector(string_to_array(trim(words), ' '))) with (fastupdate = off)`,
  ],
};

/** Beside the tables of the account library, which it makes itself. */
const ACCOUNTS = [
  `create table secret_key (
    id text primary key,
    owner_id text not null,
    name text not null,
    hash text not null unique,
    hint text not null,
    created_at bigint not null,
    last_used_at bigint,
    revoked_at bigint
  )`,
  'create index secret_key_of_owner on secret_key (owner_id) where revoked_at is null',
  `create table seller (
    owner_id text primary key,
    name text,
    version integer not null
  )`,
  `create table mails_of_day (
    day integer not null,
    visitor text not null,
    mails integer not null,
    constraint mails_of_day_key primary key (day, visitor)
  )`,
];

const PURCHASES = [
  `create table purchase (
    id text primary key,
    link_id text not null references link (id),
    seller_id text not null,
    buyer_id text,
    claim_hash text not null,
    price_cents bigint not null,
    fee_cents bigint not null,
    currency text not null,
    mode text not null,
    provider_account text not null,
    session_id text unique,
    checkout_url text,
    payment_intent_id text unique,
    buyer_email text,
    state text not null,
    created_at bigint not null,
    expires_at bigint not null,
    settled_at bigint,
    constraint purchase_fee check (fee_cents >= 0 and fee_cents <= price_cents)
  )`,
  'create index purchase_of_claim on purchase (claim_hash, link_id)',
  'create index purchase_of_buyer on purchase (buyer_id, link_id) where buyer_id is not null',
  // Of one link, a browser and an account have one checkout open at a time.
  `create unique index purchase_open_of_claim_hash
    on purchase (claim_hash, link_id) where state = 'open'`,
  `create unique index purchase_open_of_buyer_id
    on purchase (buyer_id, link_id) where state = 'open'`,
  'create index purchase_of_link on purchase (link_id)',
  `create index purchase_of_seller
    on purchase (seller_id, settled_at, id) where settled_at is not null`,
  // Checkouts that nobody paid are swept after a while.
  'create index purchase_unpaid on purchase (expires_at) where settled_at is null',
  // The files that the link held at the checkout: the buyer's, whatever it holds later.
  `create table purchase_file (
    purchase_id text not null references purchase (id),
    position integer not null,
    file_key text not null references file (key),
    constraint purchase_file_key primary key (purchase_id, position)
  )`,
  'create index purchase_file_of_file on purchase_file (file_key)',
  `create table access_grant (
    id text primary key,
    purchase_id text not null unique references purchase (id),
    link_id text not null references link (id),
    buyer_id text,
    state text not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index access_grant_of_buyer on access_grant (buyer_id, link_id)',
  `create table grant_claim (
    claim_hash text not null,
    grant_id text not null references access_grant (id),
    claimed_at bigint default 0 not null,
    constraint grant_claim_key primary key (claim_hash, grant_id)
  )`,
  // Of the browsers that hold a grant, the latest are kept.
  'create index grant_claim_of_grant on grant_claim (grant_id, claimed_at)',
  // No reference to the file: what was delivered outlives it.
  `create table delivery (
    id text primary key,
    grant_id text not null references access_grant (id),
    file_key text not null,
    day integer not null,
    responses integer not null,
    first_byte bigint not null,
    bytes_sent bigint not null,
    outcome text not null,
    started_at bigint not null,
    ended_at bigint not null
  )`,
  // Responses of a day that ended alike are counted in one row.
  'create unique index delivery_of_day on delivery (grant_id, file_key, outcome, day)',
  `create table webhook_event (
    id text primary key,
    type text not null,
    mode text not null,
    payload text not null,
    received_at bigint not null,
    handled_at bigint
  )`,
  // Those that were handled are swept after a while.
  'create index webhook_event_handled on webhook_event (handled_at) where handled_at is not null',
  'create index webhook_event_unhandled on webhook_event (received_at) where handled_at is null',
];

const LEDGER = [
  `create table ledger_entry (
    id text primary key,
    kind text not null,
    cause text not null unique,
    mode text not null,
    provider_account text not null,
    currency text not null,
    purchase_id text references purchase (id),
    created_at bigint not null
  )`,
  'create index ledger_entry_of_purchase on ledger_entry (purchase_id)',
  `create table ledger_line (
    entry_id text not null references ledger_entry (id),
    position integer not null,
    account text not null,
    owner_id text,
    amount_cents bigint not null,
    sold_at bigint,
    constraint ledger_line_key primary key (entry_id, position)
  )`,
  // What is pending is read from one short range of it, at any age of the books.
  'create index ledger_line_of_owner on ledger_line (owner_id, sold_at)',
  `create table user_balance (
    owner_id text not null,
    mode text not null,
    balance_cents bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    constraint user_balance_key primary key (owner_id, mode)
  )`,
];

const BOOKS = ['ledger_entry', 'ledger_line'];

/** The database itself refuses every change of a booked line: a correction is a new entry. */
const APPEND_ONLY = {
  sqlite: BOOKS.flatMap((table) =>
    ['update', 'delete'].map(
      (action) => `create trigger ${table}_no_${action} before ${action} on ${table}
        begin select raise(abort, 'the ledger is append-only'); end`,
    ),
  ),
  postgres: [
    `create function refuse_ledger_change() returns trigger language plpgsql as $$
      begin raise exception 'the ledger is append-only'; end $$`,
    ...BOOKS.flatMap((table) =>
      ['update', 'delete', 'truncate'].map(
        (action) => `create trigger ${table}_no_${action} before ${action} on ${table}
          for each statement execute function refuse_ledger_change()`,
      ),
    ),
  ],
};

/** Counters, so that the dashboard reads no purchases. Checkouts that were swept stay counted. */
const STATISTICS = [
  `create table link_statistics (
    link_id text primary key,
    views bigint not null,
    checkouts bigint not null,
    swept_checkouts bigint not null,
    sales bigint not null,
    refunds bigint not null
  )`,
  `create table seller_day (
    owner_id text not null,
    day integer not null,
    views bigint not null,
    checkouts bigint not null,
    swept_checkouts bigint not null,
    sales bigint not null,
    refunds bigint not null,
    net_cents bigint not null,
    returned_cents bigint not null,
    constraint seller_day_key primary key (owner_id, day)
  )`,
];

const OUTBOX = [
  `create table job (
    id text primary key,
    kind text not null,
    payload text not null,
    lane text not null,
    run_at bigint not null,
    attempts integer not null,
    unended integer not null,
    locked_until bigint not null,
    lease_id text,
    died_at bigint,
    last_error text,
    created_at bigint not null
  )`,
  'create index job_due on job (lane, run_at) where died_at is null',
  // An event that is sent again finds its own work by it.
  'create index job_of_payload on job (payload)',
  // For the readiness check, which counts the dead: all other jobs may be many.
  'create index job_died_at on job (died_at) where died_at is not null',
  `create table mailbox_message (
    id text primary key,
    "to" text not null,
    subject text not null,
    text text not null,
    html text not null,
    sent_at bigint not null
  )`,
  // What the readiness check writes.
  `create table probe (
    id integer primary key,
    written_at bigint not null
  )`,
];

/** What tells this installation from others. */
const INSTALLATION = [
  `create table installation (
    name text primary key,
    value text not null
  )`,
];
