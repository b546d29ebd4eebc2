import { prepare } from './prepare.ts';
import type { Database } from './tables.ts';

/**
 * `id`: what the blobs carry as well; `secret`: a fingerprint of APP_SECRET; `test-reset`: when the
 * test data was last removed, in UTC milliseconds.
 */
interface InstallationTable {
  name: 'id' | 'secret' | 'test-reset';
  value: string;
}

declare module './tables.ts' {
  interface Tables {
    installation: InstallationTable;
  }
}

const readValue = prepare((db, name: InstallationTable['name']) =>
  db.selectFrom('installation').select('value').where('name', '=', name),
);

/** Null where it was never written. */
export async function readInstallation(
  db: Database,
  name: InstallationTable['name'],
): Promise<string | null> {
  const [row] = await readValue(db, name);
  return row?.value ?? null;
}

/** Null in a database that was never started with. */
export const findInstallationId = (db: Database) => readInstallation(db, 'id');

/**
 * The id of this installation, which a restored backup still has.
 * @throws Error in a database that was never started with
 */
export async function readInstallationId(db: Database): Promise<string> {
  const id = await findInstallationId(db);
  if (id === null) throw new Error('This database has no installation id yet: start Padlink once.');
  return id;
}

/** UTC milliseconds; 0 if the test data was never removed. */
export async function readTestReset(db: Database): Promise<number> {
  return Number((await readInstallation(db, 'test-reset')) ?? 0);
}
