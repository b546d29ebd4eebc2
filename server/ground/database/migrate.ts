import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { dialectOf, hasTable, MIGRATING } from './dialect.ts';
import { up as begin } from './migrations/164-begin.ts';
import { up as payments } from './migrations/165-payments.ts';
import { up as freeCodes } from './migrations/166-free-codes.ts';
import { up as licenseKeys } from './migrations/167-license-keys.ts';
import { up as licenseKeyLookups } from './migrations/168-license-key-lookups.ts';
import { up as stamps } from './migrations/169-stamps.ts';
import { up as choices } from './migrations/170-choices.ts';
import type { Database } from './tables.ts';

/** Earlier databases were made in steps, from the first of these to the last. */
const FIRST_STEP = '101-begin';
const LAST_STEP = '164-canonical-addresses';

/** Names the version that takes the rest of them, for whoever has taken some alone. */
export const LAST_IN_STEPS = `the version whose newest migration is ${LAST_STEP} (git switch --detach 67822e71)`;

/**
 * In order. A released one never changes: docs/decisions/026-migrations-are-frozen.md. The first is
 * what all steps came to, under the name of the last: who took them has it already.
 */
export const MIGRATIONS: Record<string, Migration> = {
  [LAST_STEP]: { up: begin },
  '165-payments': { up: payments },
  '166-free-codes': { up: freeCodes },
  '167-license-keys': { up: licenseKeys },
  '168-license-key-lookups': { up: licenseKeyLookups },
  '169-stamps': { up: stamps },
  '170-choices': { up: choices },
};

const isStep = (name: string) => name >= FIRST_STEP && name < LAST_STEP;

/** What this version does not know of the migrations that were applied to a database. */
export const findUnknown = (applied: string[]): string[] =>
  applied.filter((name) => !(name in MIGRATIONS) && !isStep(name));

/** Whether a database has taken some of the steps and not all. */
export const isAmongSteps = (applied: string[]): boolean =>
  applied.some(isStep) && !applied.includes(LAST_STEP);

/**
 * Brings the schema up to date, each migration and its record in one transaction: it may be
 * interrupted anywhere. Several processes may start at once.
 * @param migrations the product's, or with later ones
 * @throws Error also where the database already holds what a migration would create and no record of it
 */
export async function migrate(db: Database, migrations = MIGRATIONS): Promise<void> {
  if (dialectOf(db) === 'sqlite' || db.isTransaction) {
    return withoutReferences(db, () => migrateUp(db, migrations));
  }
  await db.connection().execute(async (connection) => {
    // The library's own lock begins after it has listed the tables.
    await sql`select pg_advisory_lock(${MIGRATING})`.execute(connection);
    try {
      await migrateUp(connection, migrations);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATING})`.execute(connection);
    }
  });
}

/**
 * Lets SQLite make tables anew beside those that refer to them. What migrates in a transaction of
 * its own is to begin that within: in one, SQLite goes on as before.
 */
export async function withoutReferences<Result>(
  db: Database,
  work: () => Promise<Result>,
): Promise<Result> {
  if (dialectOf(db) === 'postgres') return work();
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`pragma legacy_alter_table = on`.execute(db);
  try {
    return await work();
  } finally {
    await sql`pragma legacy_alter_table = off`.execute(db);
    await sql`pragma foreign_keys = on`.execute(db);
  }
}

/** @throws Error where a row refers to none, which SQLite let pass meanwhile */
export async function requireReferences(db: Database): Promise<void> {
  if (dialectOf(db) === 'postgres') return;
  const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
  if (rows[0]) throw new Error(`Rows of ${rows[0].table} refer to none`);
}

/** What stands for a step, whose record shows that it is never run again. */
const TAKEN: Migration = { up: async () => {} };

async function migrateUp(db: Database, migrations: typeof MIGRATIONS): Promise<void> {
  const steps = (await recordedMigrations(db)).filter(isStep);
  // The library refuses records of migrations that it is not given.
  const known = { ...Object.fromEntries(steps.map((name) => [name, TAKEN])), ...migrations };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error) throw explain(error, results[0]?.migrationName);
    if (results.length === 0) return;
  }
}

/**
 * Whether every migration that this version knows is applied. Further ones are a newer version's,
 * which is replacing this one.
 */
export async function isMigrated(db: Database): Promise<boolean> {
  const applied = new Set(await appliedMigrations(db));
  return Object.keys(MIGRATIONS).every((name) => applied.has(name));
}

/**
 * In order, what an upgrade of a database would apply; nothing for one that is still empty.
 * @param migrations the product's, or with later ones
 */
export async function findPendingMigrations(
  db: Database,
  migrations = MIGRATIONS,
): Promise<string[]> {
  if (!(await hasTable(db, DEFAULT_MIGRATION_TABLE))) return [];
  const applied = new Set(await appliedMigrations(db));
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

export async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** None in a database that is still empty. */
const recordedMigrations = async (db: Database): Promise<string[]> =>
  (await hasTable(db, DEFAULT_MIGRATION_TABLE)) ? appliedMigrations(db) : [];

function explain(error: unknown, migration?: string): unknown {
  if (!migration || !(error instanceof Error && / already exists/.test(error.message))) {
    return error;
  }
  return new Error(
    `The database already contains what migration ${migration} would create (${error.message}), ` +
      'but no record of it. Restore a backup, or start with an empty database.',
    { cause: error },
  );
}

/**
 * Run before anything is changed.
 * @throws Error when another version has written this database, one with migrations that this one
 * lacks, or one from before those that this one can go on from
 */
export async function refuseOtherSchema(db: Database): Promise<void> {
  const applied = await recordedMigrations(db);
  if (isAmongSteps(applied)) {
    throw new Error(
      `This database was written by an earlier version of Padlink than this one can upgrade (${applied.at(-1)}). ` +
        `Start ${LAST_IN_STEPS} once, then this one: docs/backup.md, under Upgrade.`,
    );
  }
  const unknown = findUnknown(applied);
  if (unknown.length === 0) return;
  throw new Error(
    `This database was written by another version of Padlink (${unknown.join(', ')}). ` +
      'Start that version, or restore a backup made with this one, such as the copy from before the upgrade: docs/backup.md, under Downgrade.',
  );
}
