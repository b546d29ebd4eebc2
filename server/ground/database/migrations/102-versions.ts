import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Numbered versions of what a link sells, in place of a copy of its list of files in each purchase.
 * What was bought and is not what the link sells now becomes an earlier version.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const database = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  for (const statement of migration(DIALECTS[database])) await sql.raw(statement).execute(db);
}

/** How each database collates the keys of files, and names a list of them as one text. */
const DIALECTS = {
  sqlite: { byBytes: '', keys: 'group_concat(file_key, char(10) order by position)' },
  postgres: { byBytes: ' collate "C"', keys: 'string_agg(file_key, chr(10) order by position)' },
};

const migration = ({ byBytes, keys }: (typeof DIALECTS)['sqlite']) => [
  'alter table link add column content_version integer default 1 not null',
  'alter table purchase add column content_version integer default 1 not null',
  `create table link_version (
    link_id text not null references link (id),
    number integer not null,
    url text,
    created_at bigint not null,
    files_deleted_at bigint,
    constraint link_version_key primary key (link_id, number)
  )`,
  // What links hold now, what was offered at each checkout, and the lists that are no longer sold.
  'create table held_file as select * from link_file',
  'drop table link_file',
  `create table held as select link_id, ${keys} as keys from held_file group by link_id`,
  'create index held_link on held (link_id)',
  `create table offered as
    select p.id as purchase_id, p.link_id, p.created_at, coalesce(f.keys, '') as keys
    from purchase p
    join link l on l.id = p.link_id and l.type = 'file'
    left join (
      select purchase_id, ${keys} as keys from purchase_file group by purchase_id
    ) f on f.purchase_id = p.id
    where f.keys is not null or p.settled_at is not null`,
  'create index offered_purchase on offered (purchase_id)',
  `create table earlier as
    select o.link_id, o.keys, min(o.created_at) as created_at, min(o.purchase_id) as purchase_id,
      row_number() over (partition by o.link_id order by min(o.created_at), o.keys) as number
    from offered o left join held h on h.link_id = o.link_id
    where o.keys${byBytes} <> coalesce(h.keys, '')
    group by o.link_id, o.keys`,
  'create index earlier_link on earlier (link_id)',
  `update link set content_version
    = 1 + (select count(*) from earlier e where e.link_id = link.id)
    where id in (select link_id from earlier)`,
  // The first is as old as its link; of others it is known when they were there at the latest.
  `insert into link_version (link_id, number, url, created_at)
    select e.link_id, e.number, null,
      case e.number when 1 then l.created_at else e.created_at end
    from earlier e join link l on l.id = e.link_id
    union all
    select id, content_version, url,
      case content_version when 1 then created_at else updated_at end
    from link`,
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
  `insert into link_file
    select h.link_id, l.content_version, h.position, h.file_key
    from held_file h join link l on l.id = h.link_id
    union all
    select e.link_id, e.number, f.position, f.file_key
    from earlier e join purchase_file f on f.purchase_id = e.purchase_id`,
  // A file that was deleted has left a gap.
  `update link_version set files_deleted_at = created_at
    where url is null and 0 <> (
      select count(*) - coalesce(max(f.position), 0) - 1 from link_file f
      where f.link_id = link_version.link_id and f.version = link_version.number)`,
  `update purchase set content_version = coalesce(
      (select e.number from offered o
        join earlier e on e.link_id = o.link_id and e.keys = o.keys
        where o.purchase_id = purchase.id),
      (select l.content_version from link l where l.id = purchase.link_id))
    where link_id in (select link_id from earlier)`,
  'drop table purchase_file',
  ...['held_file', 'held', 'offered', 'earlier'].map((table) => `drop table ${table}`),
  // Whether a version was bought is asked of its files.
  'drop index purchase_of_link',
  'create index purchase_of_version on purchase (link_id, content_version)',
  // Who asked to be mailed about new versions, and the last one they were told of.
  'alter table access_grant add column wants_versions integer default 0 not null',
  'alter table access_grant add column told_version integer default 0 not null',
  'create index access_grant_wanting on access_grant (link_id, id) where wants_versions = 1',
];
