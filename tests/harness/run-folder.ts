import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUN_FOLDER_VARIABLE = 'PADLINK_TEST_FOLDER';

/** What the names of the folders of runs begin with. */
export const RUN_PREFIX = 'padlink-tests-';

const MEMORY = '/dev/shm';
/**
 * Bytes; `tests/operations/memory.long.test.ts` keeps 22 files of the size that is asked for at once,
 * and a link of a seeded shop with its sale takes up to 6 kB.
 */
const ROOM_NEEDED =
  2 * 1024 ** 3 +
  24 * 1024 ** 2 * Number(process.env.PADLINK_MEMORY_TEST_MIB ?? 0) +
  6_000 * Number(process.env.PADLINK_SCALE ?? 0);

/** In memory where Linux has room for a run, every commit waits for a disk otherwise. */
function findFastFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_NEEDED ? MEMORY : tmpdir();
}

/** One folder for all data of this run and of its workers, removed also when the run is aborted. */
export function createRunFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(findFastFolder(), RUN_PREFIX));
  // PostgreSQL, which runs under another account, has its data inside.
  chmodSync(path, 0o711);
  process.env[RUN_FOLDER_VARIABLE] = path;
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  return { path, remove };
}

/** The folder of this run. */
export function runFolder(): string {
  return process.env[RUN_FOLDER_VARIABLE] ?? tmpdir();
}

/** A new folder for files that people choose. */
export function createChosenFolder(): string {
  return mkdtempSync(join(runFolder(), 'padlink-chosen-'));
}

/** A new folder for one product's data. */
export function createDataFolder(): string {
  return mkdtempSync(join(runFolder(), 'padlink-data-'));
}
