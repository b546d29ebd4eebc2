import { type Kysely, sql } from 'kysely';

/** What used to be looked for in whole tables. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Each start asks whether there are purchases of the other mode.
  'create index purchase_of_mode on purchase (mode)',
  // What is taken down of an account, and what its seller objected to.
  'create index link_taken_down on link (owner_id) where taken_down_at is not null',
  `create index take_down_waiting on take_down (taken_down_at, id)
    where undone_at is null and objected_at is not null and answered_at is null`,
  // The operator's overview adds up the last days of all sellers.
  'create index seller_day_of_day on seller_day (day)',
];
