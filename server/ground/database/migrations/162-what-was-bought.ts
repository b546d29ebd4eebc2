import { type Kysely, sql } from 'kysely';

/**
 * How much was bought, and what was delivered of it, beside each other: a table of sales reads both for
 * each of its rows.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table access_grant add column size_bytes bigint',
  `update access_grant set size_bytes = (
    select cast(sum(size_bytes) as bigint) from file where key in (
      select f.file_key from purchase p
      left join purchase_part o on o.purchase_id = p.id
      join link_file f on f.link_id = coalesce(o.link_id, p.link_id)
        and f.version = coalesce(o.content_version, p.content_version)
      where p.id = access_grant.purchase_id))`,
  // 0 for files of newer versions than the one that was bought.
  'alter table delivered_file add column bought integer default 1 not null',
  `update delivered_file set bought = 0 where file_key not in (
    select f.file_key from access_grant g
    join purchase p on p.id = g.purchase_id
    left join purchase_part o on o.purchase_id = p.id
    join link_file f on f.link_id = coalesce(o.link_id, p.link_id)
      and f.version = coalesce(o.content_version, p.content_version)
    where g.id = delivered_file.grant_id)`,
];
