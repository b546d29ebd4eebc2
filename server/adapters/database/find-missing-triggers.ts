import { sql } from 'kysely';
import type { Database } from '../../domain/tables.ts';
import { APPEND_ONLY_TRIGGERS } from './append-only-triggers.ts';
import { dialectOf } from './dialect.ts';

/** Names, one sentence each, the guards of the append-only ledger that the database lost. */
export async function findMissingTriggers(db: Database): Promise<string[]> {
  const query =
    dialectOf(db) === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`
      : sql<{ name: string }>`select tgname as name from pg_trigger where tgenabled <> 'D'`;
  const { rows } = await query.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  return APPEND_ONLY_TRIGGERS.filter(({ name }) => !present.has(name)).map(
    ({ name }) => `The trigger ${name} is missing: booked lines could be changed.`,
  );
}
