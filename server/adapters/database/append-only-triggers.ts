import { type Kysely, sql } from 'kysely';
import { dialectOf } from './dialect.ts';

const APPEND_ONLY = ['ledger_entry', 'ledger_line'];
const ACTIONS = ['update', 'delete'];

/** Lets the database itself refuse every change of a booked line: a correction is a new entry. */
export async function createAppendOnlyTriggers(db: Kysely<never>): Promise<void> {
  const sqlite = dialectOf(db) === 'sqlite';
  for (const table of APPEND_ONLY) {
    for (const action of ACTIONS) {
      const body = sqlite
        ? `begin select raise(abort, 'the ledger is append-only'); end`
        : 'for each statement execute function refuse_ledger_change()';
      await sql
        .raw(`create trigger ${table}_no_${action} before ${action} on ${table} ${body}`)
        .execute(db);
    }
  }
}

export async function dropAppendOnlyTriggers(db: Kysely<never>): Promise<void> {
  const sqlite = dialectOf(db) === 'sqlite';
  for (const table of APPEND_ONLY) {
    for (const action of ACTIONS) {
      const name = `${table}_no_${action}`;
      await sql.raw(`drop trigger ${name}${sqlite ? '' : ` on ${table}`}`).execute(db);
    }
  }
}
