import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { fact, putIntoEnglish } from '../../../contract/fact.ts';
import { formatBytes } from '../../../contract/format.ts';
import { isolate } from '../../../contract/isolate.ts';
import { measureRoom } from '../../files/admit-upload.ts';
import { type FileStore, findDamage } from '../../files/file-store.ts';
import type { Config } from '../../ground/config/read-config.ts';
import { findMove } from '../../ground/database/close-writes.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { readInstallation, readInstallationId } from '../../ground/database/installation.ts';
import { isMigrated, refuseOtherSchema } from '../../ground/database/migrate.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS, HOUR_MS } from '../../ground/lib/time.ts';
import { probeDatabase } from '../health/routes.ts';
import { isOwnSecret } from '../installation/match-installation.ts';
import { type Examined, fault, ok, reasonOf, warning } from './finding.ts';

export async function examineDataFolder({ dataDir, downloadAccel }: Config): Examined {
  const own = `Make it a folder of the user that runs Padlink alone: chmod 700 ${dataDir}`;
  const { mode } = await stat(dataDir);
  const shared = downloadAccel === null ? 0o077 : 0o007;
  if (mode & shared) return warning(`Other users of this machine can open ${dataDir}.`, own);
  return ok(`${dataDir} is for its own user alone.`);
}

/** Reads and writes, as every sale does. */
export async function examineDatabase(db: Database): Examined {
  await probeDatabase(db, Date.now());
  const move = await findMove(db);
  if (move?.moved_at === null) {
    return fault(
      `A move to ${move.place} was begun, so that nothing can be written.`,
      'If its command was killed, repeat it, or end the move: npm run cli -- move --undo',
    );
  }
  if (move)
    return fault(`This site was moved to ${move.place}.`, 'Use the settings of that place.');
  return ok('The database takes writes.');
}

export async function examineSchema(db: Database): Examined {
  try {
    await refuseOtherSchema(db);
  } catch (error) {
    return fault(reasonOf(error), 'Start that version, or restore a backup made with this one.');
  }
  if (await isMigrated(db)) return ok('The database has the schema of this version.');
  return warning(
    'The database has the schema of an earlier version.',
    'Back it up, stop every Padlink and start this version, which upgrades it.',
  );
}

/** PostgreSQL's number of the first version that says by what a database sorts its texts. */
const TELLS_COLLATION = 150_000;

/** Whether PostgreSQL sorts texts by other rules than those that the indexes were made by. */
export async function examineCollation(db: Database): Examined {
  if (dialectOf(db) === 'sqlite') return null;
  const { rows: servers } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db);
  if ((servers[0]?.version ?? 0) < TELLS_COLLATION) return null;
  const { rows } = await sql<{ name: string; made: string | null; now: string | null }>`
    select datname as name, datcollversion as made, pg_database_collation_actual_version(oid) as now
    from pg_database where datname = current_database()`.execute(db);
  const [{ name, made, now } = { name: '', made: null, now: null }] = rows;
  // Of rules that never change, such as those of C, there is no version.
  if (made === null) return null;
  if (made === now) return ok('The indexes were made by the rules that PostgreSQL sorts by.');
  return warning(
    `The operating system of PostgreSQL sorts texts by other rules (${now ?? 'of no version'}) than those that the indexes were made by (${made}): rows may be missed, or be there twice.`,
    `Stop Padlink and run: psql "$DATABASE_URL" -c 'REINDEX DATABASE "${name}"' -c 'ALTER DATABASE "${name}" REFRESH COLLATION VERSION'`,
  );
}

/** @param secret null where there is none */
export async function examineSecret(db: Database, secret: string | null): Examined {
  if (secret === null) {
    return fault(
      'The file app-secret is missing or damaged in the data folder.',
      'Restore it from a backup, or set APP_SECRET to its content.',
    );
  }
  if (await isOwnSecret(db, secret))
    return ok('APP_SECRET is the one that this database was used with.');
  return fault(
    'APP_SECRET is not the one that this database was used with.',
    'Set it to its previous value, or accept the loss with “secret accept”: docs/backup.md.',
  );
}

export async function examineStorage(db: Database, store: FileStore): Examined {
  const id = await readInstallationId(db);
  const owner = await store.readOwner();
  if (owner !== id) {
    return fault(
      `The files in ${store.place} are ${owner === null ? 'nobody’s' : 'another installation’s'}.`,
      'Set DATA_DIR or S3_BUCKET as before, or restore database and files from the same backup: docs/backup.md.',
    );
  }
  await store.probe();
  return ok(`Files can be written to ${store.place}.`);
}

const EXAMINED_FILES = 100;

/** Of the newest files, which are what was uploaded or moved last. */
export async function examineFiles(db: Database, store: FileStore): Examined {
  const files = await db
    .selectFrom('file')
    .selectAll()
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(EXAMINED_FILES)
    .execute();
  for (const file of files) {
    const damage = await findDamage(store, file);
    if (damage === null) continue;
    return fault(
      `The file “${isolate(file.name)}” of the link ${file.link_id} ${putIntoEnglish(damage)}.`,
      'Run “storage verify”, and restore what it lists from a backup.',
    );
  }
  return ok(`Of the newest ${EXAMINED_FILES} files, none is missing or cut short.`);
}

/** Bytes. Less is soon used up. */
const LITTLE_ROOM = 1024 ** 3;

export async function examineRoom(store: FileStore): Examined {
  const room = await measureRoom(store);
  if (!Number.isFinite(room)) return null;
  const remedy =
    'Free some space, enlarge the disk, or remove deleted files for good with “storage empty-quarantine”.';
  if (room <= 0) return fault('The disk has no room for further files.', remedy);
  const says = `The disk has room for ${formatBytes(room)} of further files.`;
  return room < LITTLE_ROOM ? warning(says, remedy) : ok(says);
}

export async function examineJobs(db: Database): Examined {
  const { rows } = await sql<{ dead: number; late: number }>`
    select (select count(*) from job where died_at is not null) as dead,
      (select count(*) from job where died_at is null and run_at < ${Date.now() - HOUR_MS}) as late`.execute(
    db,
  );
  const { dead = 0, late = 0 } = rows[0] ?? {};
  if (dead > 0) {
    return fault(
      `Jobs that were given up: ${dead}.`,
      'Read why with “jobs list”, remove the cause, and run them with “jobs retry all”.',
    );
  }
  if (late > 0) {
    return warning(
      `Jobs that have been due for more than an hour: ${late}.`,
      'See that Padlink runs, and read with “jobs list” what they wait for.',
    );
  }
  return ok('No job was given up or is late.');
}

export async function examineLedger(faults: Promise<string[]>): Examined {
  const [first, ...more] = await faults;
  if (first === undefined) return ok('The ledger is in order.');
  const others = more.length === 0 ? '' : ` There are ${more.length} more.`;
  return fault(`${first}${others}`, 'Run “ledger check” and “reconcile”: docs/money.md.');
}

/** Days. What is made every week is a day late at most. */
const BACKUP_OLD = 8;

/** @param now UTC milliseconds */
export async function examineBackup(db: Database, now: number): Examined {
  const remedy = fact('Have one made every day: npm run cli -- backup PATH (docs/backup.md).');
  const made = await readInstallation(db, 'backed-up');
  if (made === null) return warning(fact('No backup of this site is known.'), remedy);
  const moment = Number(made);
  const says = fact('The last backup was made on {time}.', { time: { moment } });
  return now - moment > BACKUP_OLD * DAY_MS ? warning(says, remedy) : ok(says);
}
