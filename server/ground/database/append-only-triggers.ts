import { type Kysely, sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Database } from './tables.ts';

/** One for each ledger table and each way to change what is booked. */
const APPEND_ONLY_TRIGGERS = ['ledger_entry', 'ledger_line'].flatMap((table) =>
  ['update', 'delete'].map((action) => ({ name: `${table}_no_${action}`, table, action })),
);

/**
 * They let an entry have the lines it was written with, and no others. In SQLite a row that replaces
 * another one is neither updated nor deleted.
 */
const SEALS = {
  sqlite: ['ledger_line_sealed', 'ledger_entry_sealed'],
  postgres: ['ledger_line_sealed'],
};

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

/**
 * Reports, one sentence each, the triggers of the append-only ledger that the database has lost.
 */
export async function findMissingTriggers(db: Database): Promise<string[]> {
  const query =
    dialectOf(db) === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`
      : sql<{ name: string }>`select tgname as name from pg_trigger where tgenabled <> 'D'`;
  const { rows } = await query.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  const names = [...APPEND_ONLY_TRIGGERS.map(({ name }) => name), ...SEALS[dialectOf(db)]];
  return names
    .filter((name) => !present.has(name))
    .map((name) => `The trigger ${name} is missing: booked entries could be changed.`);
}
