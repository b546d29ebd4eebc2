import { type Kysely, sql } from 'kysely';

/** What a buyer's program proves its license by, and the devices that it was activated on. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table link add column license_keys text
    constraint link_license_keys check (license_keys in ('generated', 'list', 'off'))`,
  `alter table link add column license_devices integer
    constraint link_license_devices check (license_devices > 0)`,
  `create table license_key (
    id text primary key,
    link_id text not null references link (id),
    key text,
    lookup text,
    purchase_id text references purchase (id) on delete cascade,
    created_at bigint not null,
    given_at bigint,
    constraint license_key_lookup check ((key is null) = (lookup is null)),
    constraint license_key_given check ((purchase_id is null) = (given_at is null)),
    constraint license_key_owed check (key is not null or purchase_id is not null)
  )`,
  // No two buyers have the same key, and none has two of one link by one purchase.
  'create unique index license_key_of_link on license_key (link_id, lookup)',
  'create unique index license_key_of_purchase on license_key (purchase_id, link_id)',
  `create index license_key_free on license_key (link_id, created_at, id)
    where purchase_id is null`,
  `create index license_key_given on license_key (link_id, given_at, id)
    where purchase_id is not null`,
  `create index license_key_owed on license_key (link_id, given_at, id) where key is null`,
  `create table license_activation (
    key_id text not null references license_key (id) on delete cascade,
    device text not null,
    activated_at bigint not null,
    constraint license_activation_key primary key (key_id, device)
  )`,
];
