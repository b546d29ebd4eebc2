import { type Kysely, sql } from 'kysely';
import { dialectOf } from './dialect.ts';

/** One for each table of the ledger and each way to change what is booked. */
export const APPEND_ONLY_TRIGGERS = ['ledger_entry', 'ledger_line'].flatMap((table) =>
  ['update', 'delete'].map((action) => ({ name: `${table}_no_${action}`, table, action })),
);

/** Lets the database itself refuse every change of a booked line: a correction is a new entry. */
export async function createAppendOnlyTriggers(db: Kysely<never>): Promise<void> {
  const body =
    dialectOf(db) === 'sqlite'
      ? `begin select raise(abort, 'the ledger is append-only'); end`
      : 'for each statement execute function refuse_ledger_change()';
  for (const { name, table, action } of APPEND_ONLY_TRIGGERS) {
    await sql.raw(`create trigger ${name} before ${action} on ${table} ${body}`).execute(db);
  }
}

export async function dropAppendOnlyTriggers(db: Kysely<never>): Promise<void> {
  const sqlite = dialectOf(db) === 'sqlite';
  for (const { name, table } of APPEND_ONLY_TRIGGERS) {
    await sql.raw(`drop trigger ${name}${sqlite ? '' : ` on ${table}`}`).execute(db);
  }
}
