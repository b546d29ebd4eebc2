import { type Kysely, sql } from 'kysely';

/** Where sellers and operators have their programs told of events, and what those were told. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
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
