import { type RawBuilder, sql } from 'kysely';
import { LENGTHS_MS } from '../../server/books/ledger/sales-in-time.ts';
import type { Database } from '../harness/test-environment.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Of the link that was made and sold as this one of all. */
export const linkIdOf = (number: number): string =>
  ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');

/** When the last sale of a seeded shop was made; its first is a year older. UTC milliseconds. */
export const SHOP_CLOCK = Date.UTC(2026, 0, 1, 12);
const YEAR_MS = 365 * DAY_MS;

/**
 * So many files on sale by one seller, “ada”, each sold and downloaded once within a year, by
 * buyers who bought five each, “buyer0” and so on.
 */
export function seedShop(database: Database, count: number): RawBuilder<unknown>[] {
  const n = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`;
  const last = sql.lit(SHOP_CLOCK);
  const soldAt = sql`${last} - (${sql.lit(count)} - i) * cast(${sql.lit(YEAR_MS)} as bigint) / ${sql.lit(count)}`;
  const isSqlite = database === 'sqlite';
  // Spread over all beginnings, as the ids of links are.
  const spread = sql`(cast(i as bigint) * 2654435761 % 4294967296)`;
  const id = isSqlite ? sql`printf('%08x', ${spread})` : sql`lpad(to_hex(${spread}), 8, '0')`;
  const buyer = sql`(i % ${sql.lit(Math.max(1, Math.floor(count / 5)))})`;
  const settings = isSqlite
    ? // Nobody needs these rows after a power cut.
      [
        sql`pragma synchronous = off`,
        sql`pragma foreign_keys = off`,
        sql`pragma cache_size = -1000000`,
      ]
    : // A small table would be read whole, where a large one is not.
      [
        sql`do $$ begin execute
        format('alter database %I set enable_seqscan = off', current_database()); end $$`,
        // No triggers: one row that is changed a million times in a transaction has as many versions.
        sql`set session_replication_role = replica`,
        sql`insert into file_usage values ('ada', ${sql.lit(count)}, 0, 0)`,
      ];
  return [
    ...settings,
    sql`insert into link_id ${n} select ${id}, 'ada', 0 from n`,
    sql`insert into link (id, owner_id, type, title, key, price_cents, unlocked, paused, size_bytes,
        media_type, version, created_at, updated_at)
      ${n} select ${id}, 'ada', 'file', 'Map ' || i, 'public/' || ${id} || '-map.txt', 100, 0, 0, 1,
        'text/plain', 1, ${soldAt}, ${soldAt} from n`,
    sql`insert into file (key, blob, owner_id, link_id, name, size_bytes, media_type, created_at,
        finished_at, checked_at)
      select key, 'b' || id, 'ada', id, 'map.txt', 1, 'text/plain', 0, 1, 1 from link`,
    sql`insert into link_version (link_id, number, created_at) select id, 1, created_at from link`,
    sql`insert into link_file (link_id, version, position, file_key) select id, 1, 0, key from link`,
    sql`insert into link_statistics (link_id, views, checkouts, swept_checkouts, sales, refunds)
      select id, 1, 1, 0, 1, 0 from link`,
    sql`insert into purchase (id, link_id, seller_id, buyer_id, claim_hash, price_cents, fee_cents,
        currency, mode, provider_account, payment_id, line, buyer_email, state, created_at,
        expires_at, settled_at, title)
      ${n} select 'p' || i, ${id}, 'ada', 'buyer' || ${buyer}, 'claim' || ${buyer}, 100, 10, 'usd',
        'test', 'sandbox', 'y' || i, 1, 'buyer' || ${buyer} || '@example.com', 'settled',
        ${soldAt}, ${soldAt}, ${soldAt}, 'Map ' || i from n`,
    sql`insert into payment (id, session_id, payment_intent_id)
      ${n} select 'y' || i, 's' || i, 'pi' || i from n`,
    sql`insert into access_grant (id, purchase_id, link_id, buyer_id, state, created_at, updated_at,
        size_bytes)
      select 'g' || id, id, link_id, buyer_id, 'active', settled_at, settled_at, 1 from purchase`,
    sql`insert into delivered_file (grant_id, file_key, ranges, bytes)
      select 'g' || purchase.id, link.key, '[[0,1]]', 1 from purchase
      join link on link.id = purchase.link_id`,
    sql`insert into grant_claim (claim_hash, grant_id) select claim_hash, 'g' || id from purchase`,
    sql`insert into ledger_entry (id, kind, cause, mode, provider_account, currency, purchase_id,
        created_at, line_count)
      select 'e' || purchase.id, 'sale', 'sale:' || payment_intent_id, mode, provider_account, currency,
        purchase.id, settled_at, 3 from purchase join payment on payment.id = payment_id`,
    ...[
      { account: 'provider', owner: sql`null`, sold: sql`null`, cents: -100 },
      { account: 'platform_fee', owner: sql`null`, sold: sql`null`, cents: 10 },
      { account: 'creator', owner: sql`seller_id`, sold: sql`settled_at`, cents: 90 },
    ].map(
      ({ account, owner, sold, cents }, position) =>
        sql`insert into ledger_line (entry_id, position, account, owner_id, amount_cents, sold_at,
            currency)
          select 'e' || id, ${sql.lit(position)}, ${sql.lit(account)}, ${owner}, ${sql.lit(cents)},
            ${sold}, 'usd' from purchase`,
    ),
    sql`insert into provider_transaction (id, mode, provider_account, type, amount_cents, fee_cents,
        net_cents, currency, subject, cause, matched, state, entry_id, available_on, created_at,
        imported_at)
      select 't' || purchase.id, mode, provider_account, 'charge', 100, 0, 100, 'usd', 'sale',
        'sale:' || payment_intent_id, 1, 'explained', 'e' || purchase.id, settled_at, settled_at,
        settled_at
      from purchase join payment on payment.id = payment_id`,
    sql`insert into user_balance values ('ada', 'test', ${sql.lit(count * 90)}, 0, ${last})`,
    ...LENGTHS_MS.map(
      (length) => sql`insert into sales_in_time (owner_id, mode, length_ms, number, available_on,
          cents, sales, last_sold_at)
        select seller_id, mode, ${sql.lit(length)}, settled_at / ${sql.lit(length)}, 0,
          count(*) * 90, count(*), max(settled_at)
        from purchase group by seller_id, mode, settled_at / ${sql.lit(length)}`,
    ),
    sql`insert into seller_day (owner_id, day, views, checkouts, swept_checkouts, sales, refunds,
        net_cents, returned_cents)
      select 'ada', settled_at / ${sql.lit(DAY_MS)}, 0, count(*), 0, count(*), 0, count(*) * 90, 0
      from purchase group by settled_at / ${sql.lit(DAY_MS)}`,
    // As PostgreSQL does by itself within minutes: until then, no index alone answers anything.
    ...(isSqlite ? [] : [sql`vacuum`]),
  ];
}
