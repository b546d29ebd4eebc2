import { type Kysely, sql } from 'kysely';

/** Who wants a summary of each week, and the last week that each was told of, or needs none of. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table notification_choice add column weekly integer default 0 not null',
  'alter table notification_choice add column told_week bigint default 0 not null',
  'create index notification_choice_weekly on notification_choice (told_week) where weekly = 1',
];
