import { type Kysely, sql } from 'kysely';

/** What visitors report, what the operator takes down, and how commands tell a server of it. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
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
  // What a command changed beside a server that has the database as a file.
  `create table outside_change (
    id text primary key,
    change text not null,
    announced_at bigint not null
  )`,
];
