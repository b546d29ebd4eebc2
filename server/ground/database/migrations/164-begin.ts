import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * What the steps up to 164 came to, beside the tables of the account library, which it makes itself. A
 * migration never changes once it is released: see docs/decisions/026.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const database = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  const statements = [
    ...LINKS,
    ...FILES[database],
    ...FILE_USAGE[database],
    ...SEARCH[database],
    ...ACCOUNTS,
    ...SELLERS,
    ...PURCHASES,
    ...ACCESS,
    ...GRANT_POSITION[database],
    ...DISCOUNTS,
    ...CARTS,
    ...LEDGER,
    ...BOOKED_FOR_GOOD[database],
    ...BALANCES,
    ...PROVIDER,
    ...RETURNS,
    ...PAYOUTS,
    ...STATISTICS,
    ...OPERATORS,
    ...ACTED_FOR_GOOD[database],
    ...MODERATION,
    ...NOTIFICATIONS,
    ...HOOKS,
    ...IMPORTS,
    ...OUTBOX,
    ...INSTALLATION,
    ...PROCESSES[database],
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
    content_version integer default 1 not null,
    preview text default 'none' not null,
    preview_blob text,
    preview_media_type text,
    preview_width integer,
    preview_height integer,
    preview_failed integer default 0 not null,
    least_cents bigint,
    copies integer,
    sold_until bigint,
    short_name text,
    constraint link_price check (price_cents > 0),
    constraint link_target check (
      (type = 'file' and key is not null and url is null)
      or (type = 'link' and url is not null and key is null)
      or (type = 'bundle' and key is null and url is null))
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
  'create unique index link_preview on link (preview_blob) where preview_blob is not null',
  'create index link_taken_down on link (owner_id) where taken_down_at is not null',
  // Numbered: what was bought stays what it was when the link sells something else.
  `create table link_version (
    link_id text not null references link (id),
    number integer not null,
    url text,
    created_at bigint not null,
    files_deleted_at bigint,
    constraint link_version_key primary key (link_id, number)
  )`,
  // What a bundle sells: other links of its creator.
  `create table link_part (
    link_id text not null,
    version integer not null,
    position integer not null,
    part_id text not null references link (id),
    constraint link_part_key primary key (link_id, version, position),
    constraint link_part_version foreign key (link_id, version)
      references link_version (link_id, number)
  )`,
  'create index link_part_of_part on link_part (part_id)',
  // Also those that a link had before.
  `create table short_name (
    owner_id text not null,
    name text not null,
    link_id text not null references link (id) on delete cascade,
    constraint short_name_key primary key (owner_id, name)
  )`,
  'create index short_name_of_link on short_name (link_id)',
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
    finished_at bigint,
    sha256 text,
    checked_at bigint,
    refused_because text,
    facts text,
    crc32 bigint
  )`,
  'create index file_of_owner on file (owner_id, key)',
  'create index file_of_link on file (link_id)',
  // Each new upload asks how much room the running ones will take.
  'create index file_unfinished on file (blob, size_bytes) where finished_at is null',
  `create table link_file (
    link_id text not null,
    version integer not null,
    position integer not null,
    file_key text${byBytes} not null references file (key),
    constraint link_file_key primary key (link_id, version, position),
    constraint link_file_version foreign key (link_id, version)
      references link_version (link_id, number)
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
  `create table multipart_upload (
    blob text primary key,
    upload_id text,
    size_bytes bigint not null,
    part_bytes bigint not null,
    changed_at bigint not null
  )`,
  'create table moved_blob (blob text primary key, place text not null)',
];

const FILES = { sqlite: files(''), postgres: files(' collate "C"') };

/** What each account's files use, kept by the database itself as files come, change and go. */
const USAGE = `create table file_usage (
    owner_id text not null,
    used_bytes bigint not null,
    open_uploads bigint not null,
    deleted_bytes bigint not null,
    constraint file_usage_key primary key (owner_id)
  )`;

const ADD = `on conflict (owner_id) do update set
    used_bytes = file_usage.used_bytes + excluded.used_bytes,
    open_uploads = file_usage.open_uploads + excluded.open_uploads,
    deleted_bytes = file_usage.deleted_bytes + excluded.deleted_bytes`;

const FORGET = `delete from file_usage where owner_id = old.owner_id
    and used_bytes = 0 and open_uploads = 0 and deleted_bytes = 0`;

/** What a file of its row counts. */
const open = (row: 'new' | 'old') => `case when ${row}.finished_at is null then 1 else 0 end`;

const COUNTED = {
  file: {
    added: `insert into file_usage values (new.owner_id, new.size_bytes, ${open('new')}, 0) ${ADD}`,
    changed: `update file_usage set used_bytes = used_bytes + new.size_bytes - old.size_bytes,
      open_uploads = open_uploads + ${open('new')} - ${open('old')}
      where owner_id = new.owner_id`,
    removed: `update file_usage set used_bytes = used_bytes - old.size_bytes,
      open_uploads = open_uploads - ${open('old')} where owner_id = old.owner_id`,
  },
  unneeded_blob: {
    added: `insert into file_usage values (new.owner_id, 0, 0, new.size_bytes) ${ADD}`,
    removed: `update file_usage set deleted_bytes = deleted_bytes - old.size_bytes
      where owner_id = old.owner_id`,
  },
};

const FINISHED = 'size_bytes, finished_at';
const DEFERRED = 'deferrable initially deferred for each row';
const IS_COUNTED = (row: 'new' | 'old') =>
  `when (${row}.owner_id is not null and ${row}.size_bytes is not null)`;

const { file, unneeded_blob: unneeded } = COUNTED;

const FILE_USAGE = {
  sqlite: [
    USAGE,
    `create trigger file_usage_added after insert on file for each row
      begin ${file.added}; end`,
    `create trigger file_usage_changed after update of ${FINISHED} on file for each row
      begin ${file.changed}; end`,
    `create trigger file_usage_removed after delete on file for each row
      begin ${file.removed}; ${FORGET}; end`,
    `create trigger file_usage_deleted after insert on unneeded_blob for each row
      ${IS_COUNTED('new')} begin ${unneeded.added}; end`,
    `create trigger file_usage_swept after delete on unneeded_blob for each row
      ${IS_COUNTED('old')} begin ${unneeded.removed}; ${FORGET}; end`,
  ],
  postgres: [
    USAGE,
    ...[
      ['added', file.added],
      ['changed', file.changed],
      ['removed', `${file.removed}; ${FORGET}`],
      ['deleted', unneeded.added],
      ['swept', `${unneeded.removed}; ${FORGET}`],
    ].map(
      ([name, body]) => `create function count_file_${name}() returns trigger language plpgsql as
        $$ begin ${body}; return null; end $$`,
    ),
    // At the end of the transaction: what it locks before, others lock before this as well.
    `create constraint trigger file_usage_added after insert on file ${DEFERRED}
      execute function count_file_added()`,
    `create constraint trigger file_usage_changed after update of ${FINISHED} on file ${DEFERRED}
      execute function count_file_changed()`,
    `create constraint trigger file_usage_removed after delete on file ${DEFERRED}
      execute function count_file_removed()`,
    `create constraint trigger file_usage_deleted after insert on unneeded_blob ${DEFERRED}
      ${IS_COUNTED('new')} execute function count_file_deleted()`,
    `create constraint trigger file_usage_swept after delete on unneeded_blob ${DEFERRED}
      ${IS_COUNTED('old')} execute function count_file_swept()`,
  ],
};

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

const ACCOUNTS = [
  // What each may do is separated by spaces.
  `create table secret_key (
    id text primary key,
    owner_id text not null,
    name text not null,
    hash text not null unique,
    hint text not null,
    created_at bigint not null,
    last_used_at bigint,
    revoked_at bigint,
    scopes text default 'sell' not null
  )`,
  'create index secret_key_of_owner on secret_key (owner_id) where revoked_at is null',
  // Null where what the operator's settings say holds.
  `create table account_quota (
    user_id text primary key,
    bytes bigint,
    links bigint,
    uploads_a_day bigint
  )`,
  // Of the last day with any: its first upload replaces the row of an earlier one.
  `create table uploads_of_day (
    user_id text primary key,
    day integer not null,
    uploads bigint not null
  )`,
  `create table mails_of_day (
    day integer not null,
    visitor text not null,
    mails integer not null,
    constraint mails_of_day_key primary key (day, visitor)
  )`,
];

/** Sellers and their pages. */
const SELLERS = [
  `create table seller (
    owner_id text primary key,
    name text,
    version integer not null
  )`,
  // Also those that were given up, until somebody else may have them.
  `create table seller_handle (
    handle text primary key,
    owner_id text not null,
    left_at bigint
  )`,
  `create unique index seller_handle_of_owner on seller_handle (owner_id) where left_at is null`,
  `create index seller_handle_left on seller_handle (left_at) where left_at is not null`,
  'create index seller_handle_left_by on seller_handle (owner_id) where left_at is not null',
  `create table seller_page (
    owner_id text primary key,
    about text,
    links text not null,
    picture text,
    picture_width integer,
    picture_height integer
  )`,
  'create unique index seller_page_picture on seller_page (picture) where picture is not null',
  `create table pinned_link (
    link_id text primary key references link (id),
    owner_id text not null,
    pinned_at bigint not null
  )`,
  'create index pinned_link_of_owner on pinned_link (owner_id, pinned_at)',
];

const PURCHASES = [
  // The title and the seller's name are in the words of the checkout. The address and the browser
  // are kept for evidence, only as long as a dispute may come. The addresses of mail are as they
  // were typed; in the mailboxes they have the form that is compared, null where that is no more
  // than lower case.
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
    content_version integer default 1 not null,
    title text,
    seller_name text,
    watch_at bigint,
    undelivered_at bigint,
    receipt_refused_at bigint,
    refunded_because text,
    buyer_address text,
    buyer_browser text,
    taxed integer default 0 not null,
    tax_cents bigint default 0 not null,
    available_on bigint,
    list_cents bigint,
    cart_id text,
    cart_line integer,
    source text,
    language text not null default 'en',
    gift_email text,
    gift_message text,
    gift_opened_at bigint,
    gift_resends integer not null default 0,
    buyer_mailbox text,
    gift_mailbox text,
    constraint purchase_fee check (fee_cents >= 0 and fee_cents <= price_cents)
  )`,
  'create index purchase_of_claim on purchase (claim_hash, link_id)',
  'create index purchase_of_buyer on purchase (buyer_id, link_id) where buyer_id is not null',
  // Of one link, a browser and an account have one checkout open at a time.
  `create unique index purchase_open_of_claim_hash
    on purchase (claim_hash, link_id) where state = 'open'`,
  `create unique index purchase_open_of_buyer_id
    on purchase (buyer_id, link_id) where state = 'open'`,
  `create index purchase_of_seller
    on purchase (seller_id, settled_at, id) where settled_at is not null`,
  // Checkouts that nobody paid are swept after a while.
  'create index purchase_unpaid on purchase (expires_at) where settled_at is null',
  // Whether a version was bought is asked of its files.
  'create index purchase_of_version on purchase (link_id, content_version)',
  // Looked at, one after the other, until what was bought has arrived.
  'create index purchase_to_watch on purchase (watch_at) where watch_at is not null',
  `create index purchase_undelivered on purchase (seller_id, undelivered_at)
    where undelivered_at is not null`,
  `create index purchase_dearest_of_seller
    on purchase (seller_id, price_cents, settled_at, id) where settled_at is not null`,
  'create index purchase_with_address on purchase (created_at) where buyer_address is not null',
  // Each start asks whether there are purchases of the other mode.
  'create index purchase_of_mode on purchase (mode)',
  // Several purchases that are paid at once; null for what is bought alone.
  'create unique index purchase_of_cart on purchase (cart_id, cart_line) where cart_id is not null',
  // A purchase is found by the address that it is opened from: of a gift, not the one that paid.
  `create index purchase_of_email on purchase (coalesce(gift_mailbox, lower(gift_email),
    coalesce(buyer_mailbox, lower(buyer_email)))) where settled_at is not null`,
  `create index purchase_of_giver on purchase (coalesce(buyer_mailbox, lower(buyer_email)))
    where settled_at is not null and gift_email is not null`,
  // What a bundle brings, each part in the version that was sold.
  `create table purchase_part (
    purchase_id text not null references purchase (id) on delete cascade,
    link_id text not null references link (id),
    content_version integer not null,
    constraint purchase_part_key primary key (purchase_id, link_id)
  )`,
  'create index purchase_part_of_version on purchase_part (link_id, content_version)',
];

/** What buyers may open, and what they fetched. */
const ACCESS = [
  // Some want to be mailed about new versions, and were told of the last one.
  `create table access_grant (
    id text primary key,
    purchase_id text not null unique references purchase (id),
    link_id text not null references link (id),
    buyer_id text,
    state text not null,
    created_at bigint not null,
    updated_at bigint not null,
    wants_versions integer default 0 not null,
    told_version integer default 0 not null,
    position bigint default 0 not null,
    size_bytes bigint
  )`,
  'create index access_grant_of_buyer on access_grant (buyer_id, link_id)',
  'create index access_grant_wanting on access_grant (link_id, id) where wants_versions = 1',
  // It is proven when the browser has shown that its person reads the buyer's mail.
  `create table grant_claim (
    claim_hash text not null,
    grant_id text not null references access_grant (id),
    claimed_at bigint default 0 not null,
    proven integer default 0 not null,
    constraint grant_claim_key primary key (claim_hash, grant_id)
  )`,
  // Of the browsers that hold a grant, the latest are kept.
  'create index grant_claim_of_grant on grant_claim (grant_id, claimed_at)',
  // Mailed to the buyer for one more browser: one at a time for each grant.
  `create table access_code (
    grant_id text primary key references access_grant (id),
    hash text not null,
    expires_at bigint not null,
    failures integer not null
  )`,
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
    ended_at bigint not null,
    address text,
    browser text
  )`,
  // Responses of a day that ended alike are counted in one row.
  'create unique index delivery_of_day on delivery (grant_id, file_key, outcome, day)',
  'create index delivery_with_address on delivery (started_at) where address is not null',
  // Which bytes of a file went out for a grant, however many responses they took. Not bought are
  // the files of newer versions.
  `create table delivered_file (
    grant_id text not null references access_grant (id),
    file_key text not null,
    ranges text not null,
    bytes bigint not null,
    bought integer default 1 not null,
    primary key (grant_id, file_key)
  )`,
];

/** The order in which grants were written: clocks of processes may disagree. */
const GRANT_POSITION = {
  // The next one is the highest and one more.
  sqlite: ['create index access_grant_position on access_grant (position)'],
  postgres: ['create sequence access_grant_position'],
};

const DISCOUNTS = [
  `create table discount (
    id text primary key,
    owner_id text not null,
    code text not null,
    percent integer,
    amount_cents bigint,
    minimum_cents bigint,
    starts_at bigint,
    ends_at bigint,
    max_uses integer,
    max_uses_of_buyer integer,
    chosen_links integer not null,
    created_at bigint not null,
    ended_at bigint,
    constraint discount_kind check ((percent is null) <> (amount_cents is null)),
    constraint discount_percent check (percent between 1 and 99),
    constraint discount_amount check (amount_cents > 0)
  )`,
  'create unique index discount_code on discount (owner_id, code) where ended_at is null',
  'create index discount_of_owner on discount (owner_id, created_at, id)',
  `create table discount_link (
    discount_id text not null references discount (id) on delete cascade,
    link_id text not null,
    constraint discount_link_key primary key (discount_id, link_id)
  )`,
  `create table purchase_discount (
    purchase_id text primary key references purchase (id) on delete cascade,
    discount_id text not null references discount (id) on delete cascade
  )`,
  'create index purchase_of_discount on purchase_discount (discount_id)',
];

/** What browsers have in their carts, and what each purchase is of a payment that several share. */
const CARTS = [
  `create table cart_item (
    claim_hash text not null,
    link_id text not null,
    named_cents bigint,
    code text,
    seen_cents bigint not null,
    source text not null,
    added_at bigint not null,
    constraint cart_item_key primary key (claim_hash, link_id)
  )`,
  'create index cart_item_added on cart_item (added_at)',
  `create table payment_share (
    object_id text not null,
    purchase_id text not null references purchase (id) on delete cascade,
    amount_cents bigint not null,
    constraint payment_share_key primary key (object_id, purchase_id)
  )`,
  'create index payment_share_of_purchase on payment_share (purchase_id)',
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
    created_at bigint not null,
    line_count integer default 0 not null
  )`,
  'create index ledger_entry_of_purchase on ledger_entry (purchase_id)',
  // An export reads a range of days.
  'create index ledger_entry_of_time on ledger_entry (created_at, id)',
  `create table ledger_line (
    entry_id text not null references ledger_entry (id),
    position integer not null,
    account text not null,
    owner_id text,
    amount_cents bigint not null,
    sold_at bigint,
    currency text default 'usd' not null,
    constraint ledger_line_key primary key (entry_id, position)
  )`,
  // What is pending is read from one short range of it, at any age of the books.
  'create index ledger_line_of_owner on ledger_line (owner_id, sold_at)',
];

/** The database itself refuses every change of what is written for good: a correction is a new row. */
const refuseChanges = {
  sqlite: (subject: string, tables: string[]) =>
    tables.flatMap((table) =>
      ['update', 'delete'].map(
        (action) => `create trigger ${table}_no_${action} before ${action} on ${table}
          begin select raise(abort, '${subject} is append-only'); end`,
      ),
    ),
  postgres: (subject: string, tables: string[], name: string) => [
    `create function ${name}() returns trigger language plpgsql as $$
      begin raise exception '${subject} is append-only'; end $$`,
    ...tables.flatMap((table) =>
      ['update', 'delete', 'truncate'].map(
        (action) => `create trigger ${table}_no_${action} before ${action} on ${table}
          for each statement execute function ${name}()`,
      ),
    ),
  ],
};

const BOOKS = ['ledger_entry', 'ledger_line'];

/** An entry is sealed with the number of its lines. */
const BOOKED_FOR_GOOD = {
  sqlite: [
    ...refuseChanges.sqlite('the ledger', BOOKS),
    // A line or an entry that replaces another would be no update and no delete here.
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
  postgres: [
    ...refuseChanges.postgres('the ledger', BOOKS, 'refuse_ledger_change'),
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
};

const BALANCES = [
  `create table user_balance (
    owner_id text not null,
    mode text not null,
    balance_cents bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    constraint user_balance_key primary key (owner_id, mode)
  )`,
  // What a refund under way, or a claim of a bank, may still take back of a sale.
  `create table reserve (
    purchase_id text primary key references purchase (id),
    owner_id text not null,
    mode text not null,
    amount_cents bigint not null,
    sold_at bigint not null
  )`,
  'create index reserve_of_owner on reserve (owner_id)',
  // What the sales of a stretch of time are worth to their seller, less what is reserved of them: what
  // is pending is read from these sums, however many the sales are.
  `create table sales_in_time (
    owner_id text not null,
    mode text not null,
    length_ms bigint not null,
    number bigint not null,
    available_on bigint not null,
    cents bigint not null,
    sales bigint not null,
    last_sold_at bigint not null,
    constraint sales_in_time_key primary key (owner_id, mode, length_ms, number, available_on)
  )`,
  `create index sales_in_time_unavailable on sales_in_time (owner_id, mode, length_ms, available_on)
    where available_on > 0`,
];

/** What the provider of payments tells, and its own books beside ours. */
const PROVIDER = [
  // The account is the connected one that an event is about.
  `create table webhook_event (
    id text primary key,
    type text not null,
    mode text not null,
    payload text not null,
    received_at bigint not null,
    handled_at bigint,
    account text
  )`,
  // Those that were handled are swept after a while.
  'create index webhook_event_handled on webhook_event (handled_at) where handled_at is not null',
  'create index webhook_event_unhandled on webhook_event (received_at) where handled_at is null',
  // When the provider was last asked for events, when it last listed them, and when the newest that
  // was read happened.
  `create table provider_cursor (
    name text primary key,
    read_until bigint not null,
    asked_at bigint not null,
    listed_at bigint
  )`,
  // A time whose events it will never list.
  `create table provider_gap (
    name text not null,
    began_at bigint not null,
    ended_at bigint not null,
    constraint provider_gap_key primary key (name)
  )`,
  // One row for each of its balance transactions, and one entry that explains it.
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
    imported_at bigint not null,
    cart_id text
  )`,
  'create index provider_transaction_of_time on provider_transaction (created_at, id)',
  // Few among many: what is not explained for good is looked at again every hour.
  `create index provider_transaction_open on provider_transaction (id)
    where state <> 'explained'`,
  // The sales that the provider has not made available: few of them are past the hold.
  `create index provider_transaction_unavailable on provider_transaction
    (available_on, created_at, cause) where subject = 'sale'`,
  // How far the books of an account at the provider have been imported.
  `create table provider_books (
    provider_account text not null,
    mode text not null,
    imported_until bigint not null,
    constraint provider_books_key primary key (provider_account, mode)
  )`,
];

/** What goes back to buyers. */
const RETURNS = [
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
];

/** What creators ask for of their balance, and the accounts it is sent to. */
const PAYOUTS = [
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
];

/** What was counted of a day. Checkouts that were swept stay counted. */
const COUNTS_OF_DAY = `owner_id text not null,
    day integer not null,
    views bigint not null,
    checkouts bigint not null,
    swept_checkouts bigint not null,
    sales bigint not null,
    refunds bigint not null,
    net_cents bigint not null,
    returned_cents bigint not null`;

/** Counters, so that the dashboard reads no purchases. */
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
    ${COUNTS_OF_DAY},
    constraint seller_day_key primary key (owner_id, day)
  )`,
  // The operator's overview adds up the last days of all sellers.
  'create index seller_day_of_day on seller_day (day)',
  // From where visitors and buyers came.
  `create table link_source (
    link_id text not null,
    day integer not null,
    source text not null,
    owner_id text not null,
    views integer not null,
    checkouts integer not null,
    swept_checkouts integer not null,
    sales integer not null,
    net_cents bigint not null,
    constraint link_source_key primary key (link_id, day, source)
  )`,
  'create index link_source_of_owner on link_source (owner_id, day, link_id, source)',
];

/** Who operates the site and what they did, who may sign up, and who may not sell. */
const OPERATORS = [
  `create table operator (
    user_id text primary key,
    granted_at bigint not null
  )`,
  `create table operator_act (
    id text primary key,
    acted_at bigint not null,
    actor_kind text not null,
    actor_id text,
    act text not null,
    subject_kind text not null,
    subject_id text not null,
    reason text,
    details text
  )`,
  'create index operator_act_newest on operator_act (acted_at, id)',
  `create index operator_act_of_subject
    on operator_act (subject_kind, subject_id, acted_at, id)`,
  `create table invitation (
    id text primary key,
    email text not null,
    role text not null,
    sent_at bigint not null,
    expires_at bigint not null,
    accepted_at bigint,
    revoked_at bigint
  )`,
  // An address has one of these at most; they are listed, the newest first.
  `create unique index invitation_open on invitation (email)
    where accepted_at is null and revoked_at is null`,
  `create index invitation_newest on invitation (sent_at, id)
    where accepted_at is null and revoked_at is null`,
  `create table suspension (
    user_id text primary key,
    suspended_at bigint not null,
    reason text not null
  )`,
];

const ACTS = ['operator_act'];

const ACTED_FOR_GOOD = {
  sqlite: [
    ...refuseChanges.sqlite('the log of acts', ACTS),
    // A row that replaces another is neither updated nor deleted here.
    `create trigger operator_act_no_replace before insert on operator_act
      when exists (select 1 from operator_act where id = new.id)
      begin select raise(abort, 'the log of acts is append-only'); end`,
  ],
  postgres: refuseChanges.postgres('the log of acts', ACTS, 'refuse_act_change'),
};

/** What visitors report, and what the operator takes down. */
const MODERATION = [
  `create table take_down (
    id text primary key,
    link_id text not null references link (id),
    reason text not null,
    words text not null,
    refunded_from bigint,
    followed_until text default '' not null,
    taken_down_at bigint not null,
    objection text,
    objected_at bigint,
    answer text,
    answered_at bigint,
    undone_at bigint
  )`,
  'create unique index take_down_standing on take_down (link_id) where undone_at is null',
  'create index take_down_of_time on take_down (taken_down_at, id)',
  // What its seller objected to.
  `create index take_down_waiting on take_down (taken_down_at, id)
    where undone_at is null and objected_at is not null and answered_at is null`,
  `create table blocked_file (
    sha256 text not null,
    take_down_id text not null references take_down (id),
    constraint blocked_file_key primary key (sha256, take_down_id)
  )`,
  'create index blocked_file_of_take_down on blocked_file (take_down_id)',
  `create table report (
    id text primary key,
    link_id text not null references link (id),
    reason text not null,
    words text not null,
    email text,
    created_at bigint not null,
    closed_at bigint
  )`,
  'create index report_of_time on report (created_at, id)',
  'create index report_open on report (link_id) where closed_at is null',
  // One email to the operators in each of these hours since 1970.
  'create table report_notice (hour bigint primary key)',
];

/** How each seller wants to be told of sales and weeks. */
const NOTIFICATIONS = [
  // The last week is the one that the seller was told of, or needs not be told of.
  `create table notification_choice (
    owner_id text primary key,
    sales text default 'each' not null,
    hour_from bigint default 0 not null,
    hour_sales integer default 0 not null,
    gathering_id text,
    weekly integer default 0 not null,
    told_week bigint default 0 not null
  )`,
  'create index notification_choice_weekly on notification_choice (told_week) where weekly = 1',
  // The sales that the next email tells together.
  `create table gathered_sale (
    purchase_id text primary key,
    gathering_id text not null
  )`,
  'create index gathered_sale_of_gathering on gathered_sale (gathering_id)',
  // The browsers that show each sale, by the sessions that they are signed in with.
  `create table notified_browser (
    session_id text primary key,
    owner_id text not null,
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    created_at bigint not null,
    failing_since bigint
  )`,
  'create index notified_browser_of_owner on notified_browser (owner_id)',
  'create unique index notified_browser_endpoint on notified_browser (endpoint)',
];

/** Where sellers and operators have their programs told of events, and what those were told. */
const HOOKS = [
  `create table hook (
    id text primary key,
    owner_id text not null,
    all_sellers integer not null,
    url text not null,
    state text not null,
    generation integer not null,
    earlier_until bigint default 0 not null,
    failures integer default 0 not null,
    failing_since bigint,
    rest_until bigint default 0 not null,
    busy_until bigint default 0 not null,
    created_at bigint not null
  )`,
  'create index hook_of_owner on hook (owner_id)',
  'create index hook_of_all_sellers on hook (state) where all_sellers = 1',
  `create table hook_message (
    id text primary key,
    hook_id text not null references hook (id) on delete cascade,
    type text not null,
    body text not null,
    state text not null,
    attempts integer default 0 not null,
    wanted_at bigint not null,
    due_at bigint not null,
    created_at bigint not null
  )`,
  'create index hook_message_of_time on hook_message (hook_id, created_at, id)',
  "create index hook_message_due on hook_message (hook_id, due_at) where state = 'waiting'",
  `create table hook_attempt (
    id text primary key,
    message_id text not null references hook_message (id) on delete cascade,
    began_at bigint not null,
    ms integer not null,
    status integer,
    answer text not null
  )`,
  'create index hook_attempt_of_message on hook_attempt (message_id, began_at)',
];

/** Accounts that came from another installation, and how their buyers are known again. */
const IMPORTS = [
  `create table account_import (
    owner_id text primary key,
    manifest_sha256 text not null,
    installation text not null,
    owed_cents bigint not null,
    lines_done bigint not null,
    imported_at bigint not null,
    finished_at bigint
  )`,
  `create table imported_day (
    ${COUNTS_OF_DAY},
    constraint imported_day_key primary key (owner_id, day)
  )`,
  `create table awaited_purchase (
    purchase_id text primary key references purchase (id),
    email text not null
  )`,
  'create index awaited_purchase_of_email on awaited_purchase (email)',
  `create table earlier_personal_link (
    hash text primary key,
    grant_id text not null references access_grant (id)
  )`,
  'create index earlier_personal_link_of_grant on earlier_personal_link (grant_id)',
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

const INSTALLATION = [
  // What tells this installation from others.
  `create table installation (
    name text primary key,
    value text not null
  )`,
  // They sign receipts: at most one is in use, and none is ever removed.
  `create table signing_key (
    id text primary key,
    public_key text not null,
    sealed_private_key text not null,
    created_at bigint not null,
    retired_at bigint
  )`,
  `create unique index signing_key_in_use on signing_key ((retired_at is null))
    where retired_at is null`,
  // A row says that the installation is moved elsewhere, so that this database takes no writes.
  `create table move (
    name text not null,
    place text not null,
    takes_database integer not null,
    begun_at bigint not null,
    moved_at bigint,
    constraint move_key primary key (name)
  )`,
  // What a command changed beside a server that has the database as a file.
  `create table outside_change (
    id text primary key,
    change text not null,
    announced_at bigint not null
  )`,
];

/**
 * What the processes on one server of PostgreSQL have in common: who may do what of which one is
 * enough, and how often something was done. A file has one process, which needs neither.
 */
const PROCESSES = {
  sqlite: [],
  postgres: [
    `create table lease (
      name text primary key,
      holder text not null,
      place text,
      wanted boolean default false not null,
      expires_at timestamptz not null
    )`,
    // Written without a log, because a crash may forget counts, and they change all the time.
    `create unlogged table shared_count (
      name text primary key,
      taken integer not null,
      ends_at bigint not null
    )`,
    'create index shared_count_ended on shared_count (ends_at)',
  ],
};
