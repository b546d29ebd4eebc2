import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Why Padlink itself gave a payment back, in which order grants were written, and which events were read. */
export async function up(db: Kysely<never>): Promise<void> {
  const database = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  for (const statement of [...STATEMENTS, POSITION[database]]) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table purchase add column refunded_because text',
  // Of two payments of one visitor the second is given back: clocks of processes may disagree.
  'alter table access_grant add column position bigint default 0 not null',
  "update job set kind = 'follow-settlement', lane = 'follow-ups' where kind = 'find-double-payment'",
  // When the provider was last asked for events, and when the newest that was read happened.
  `create table provider_cursor (
    name text primary key,
    read_until bigint not null,
    asked_at bigint not null
  )`,
];

const POSITION = {
  // The next one is the highest and one more.
  sqlite: 'create index access_grant_position on access_grant (position)',
  postgres: 'create sequence access_grant_position',
};
