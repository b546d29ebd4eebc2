import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { rebuild, requireReferences } from './165-payments.ts';

/** A discount may take everything off. */
export async function up(db: Kysely<never>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    await rebuild(db, 'discount', [[/between 1 and 99/, 'between 1 and 100']]);
    await requireReferences(db);
  } else {
    await sql`alter table discount drop constraint discount_percent,
      add constraint discount_percent check (percent between 1 and 100)`.execute(db);
  }
}
