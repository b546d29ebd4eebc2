import { type Kysely, sql } from 'kysely';

/** When the provider last listed its events, and of which times it never will. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // It may not answer when it is asked.
  'alter table provider_cursor add column listed_at bigint',
  'update provider_cursor set listed_at = asked_at',
  `create table provider_gap (
    name text not null,
    began_at bigint not null,
    ended_at bigint not null,
    constraint provider_gap_key primary key (name)
  )`,
];
