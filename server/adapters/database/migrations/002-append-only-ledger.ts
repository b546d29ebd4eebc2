import { type Kysely, sql } from 'kysely';
import { createAppendOnlyTriggers } from '../append-only-triggers.ts';
import { dialectOf } from '../dialect.ts';

export async function up(db: Kysely<never>): Promise<void> {
  if (dialectOf(db) === 'postgres') {
    await sql`
      create function refuse_ledger_change() returns trigger language plpgsql as $$
      begin raise exception 'the ledger is append-only'; end $$`.execute(db);
    await sql`
      create trigger ledger_entry_no_truncate before truncate on ledger_entry
      for each statement execute function refuse_ledger_change()`.execute(db);
    await sql`
      create trigger ledger_line_no_truncate before truncate on ledger_line
      for each statement execute function refuse_ledger_change()`.execute(db);
  }
  await createAppendOnlyTriggers(db);
}
