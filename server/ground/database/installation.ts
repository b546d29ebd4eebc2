import { prepare } from './prepare.ts';
import type { Database } from './tables.ts';

/** What is true at this place alone, and not where the site is restored or moved to. */
export const OF_PLACE = ['backed-up', 'mail-code', 'mail-proof'] as const;

/**
 * `id`: what the blobs carry as well; `secret`: a fingerprint of APP_SECRET; `test-reset`: when the
 * test data was last removed; `backed-up`: when the last backup was complete, both in UTC
 * milliseconds; `mail-code` and `mail-proof`: server/office/back-office/mail-proof.ts.
 */
interface InstallationTable {
  name: 'id' | 'secret' | 'test-reset' | (typeof OF_PLACE)[number];
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

export async function writeInstallation(
  db: Database,
  name: InstallationTable['name'],
  value: string,
): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
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
