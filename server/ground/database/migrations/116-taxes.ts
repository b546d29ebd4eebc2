import { type Kysely, sql } from 'kysely';

/** Whether a checkout adds taxes, and what was paid as tax. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table purchase add column taxed integer default 0 not null',
  'alter table purchase add column tax_cents bigint default 0 not null',
];
