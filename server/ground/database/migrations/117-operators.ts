import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Who operates the site and what they did, who may sign up, who may sell, and how much. */
export async function up(db: Kysely<never>): Promise<void> {
  const database = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  for (const statement of [...TABLES, ...APPEND_ONLY[database]]) {
    await sql.raw(statement).execute(db);
  }
}

const TABLES = [
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
];

const APPEND_ONLY = {
  sqlite: [
    ...['update', 'delete'].map(
      (action) => `create trigger operator_act_no_${action} before ${action} on operator_act
        begin select raise(abort, 'the log of acts is append-only'); end`,
    ),
    // A row that replaces another is neither updated nor deleted here.
    `create trigger operator_act_no_replace before insert on operator_act
      when exists (select 1 from operator_act where id = new.id)
      begin select raise(abort, 'the log of acts is append-only'); end`,
  ],
  postgres: [
    `create function refuse_act_change() returns trigger language plpgsql as $$
      begin raise exception 'the log of acts is append-only'; end $$`,
    ...['update', 'delete', 'truncate'].map(
      (action) => `create trigger operator_act_no_${action} before ${action} on operator_act
        for each statement execute function refuse_act_change()`,
    ),
  ],
};
