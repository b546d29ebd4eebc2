import { type Kysely, sql } from 'kysely';
import { dialectOf } from '../dialect.ts';

const APPEND_ONLY = ['ledger_entry', 'ledger_line'];

/** A booked line never changes: a correction is a new entry. The database itself keeps it so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (dialectOf(db) === 'sqlite') {
    for (const table of APPEND_ONLY) {
      for (const action of ['update', 'delete']) {
        await sql
          .raw(`
          create trigger ${table}_no_${action} before ${action} on ${table}
          begin select raise(abort, 'the ledger is append-only'); end`)
          .execute(db);
      }
    }
    return;
  }
  await sql`
    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin raise exception 'the ledger is append-only'; end $$`.execute(db);
  for (const table of APPEND_ONLY) {
    await sql
      .raw(`
      create trigger ${table}_append_only before update or delete or truncate on ${table}
      for each statement execute function refuse_ledger_change()`)
      .execute(db);
  }
}
