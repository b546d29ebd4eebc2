import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** What each account's files use, kept by the database itself as files come, change and go. */
export async function up(db: Kysely<never>): Promise<void> {
  const database = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  for (const statement of [...STATEMENTS, ...TRIGGERS[database]]) {
    await sql.raw(statement).execute(db);
  }
}

const STATEMENTS = [
  `create table file_usage (
    owner_id text not null,
    used_bytes bigint not null,
    open_uploads bigint not null,
    deleted_bytes bigint not null,
    constraint file_usage_key primary key (owner_id)
  )`,
  `insert into file_usage
    select owner_id, cast(sum(used) as bigint), cast(sum(open) as bigint),
      cast(sum(deleted) as bigint)
    from (
      select owner_id, size_bytes as used, case when finished_at is null then 1 else 0 end as open,
        0 as deleted
      from file
      union all
      select owner_id, 0, 0, size_bytes from unneeded_blob
      where owner_id is not null and size_bytes is not null
    ) one group by owner_id`,
  // The sums were read from it.
  'drop index file_size_of_owner',
];

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

const TRIGGERS = {
  sqlite: [
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
