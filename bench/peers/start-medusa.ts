import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openSandboxApi } from '../../sandbox/start-sandbox.ts';
import { findFreePort } from '../../tests/harness/free-port.ts';
import { startCluster } from '../../tests/harness/postgres-cluster.ts';
import { openFolder } from '../open-folder.ts';
import { type Server, startProcess } from '../start-process.ts';
import { buyAtMedusa, type Shop, type Times } from './buy-at-medusa.ts';

const PROJECT = join(import.meta.dirname, 'medusa');
/** Where `medusa build` puts what production runs. */
const BUILT = join(PROJECT, '.medusa', 'server');
const CLI = join(PROJECT, 'node_modules', '@medusajs', 'cli', 'cli.js');

export interface Peer extends Server {
  /** What works for it on this machine: its own process and those of its database. */
  pids(): number[];
  /** One sale. @throws when any step of it fails */
  buy(number: number): Promise<Times>;
}

/**
 * Medusa as one process in production with its defaults, selling a file of 1 MiB through the
 * sandbox. Without Redis, its events, locks and workflows are kept in memory, which is quicker; its
 * PostgreSQL is the tests', which waits for no disk. The first time, it is installed, which takes a
 * minute.
 */
export async function startMedusa(): Promise<Peer> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(openFolder());
  // PostgreSQL, which runs under another account, has its data inside.
  chmodSync(folder.path, 0o711);
  const data = join(folder.path, 'postgres');
  const cluster = await startCluster(data);
  stack.defer(() => cluster.stop());
  const provider = await startProvider(folder.path);
  stack.defer(() => provider.stop());
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DATABASE_URL: `${cluster.url}?sslmode=disable`,
    PROVIDER_URL: provider.apiUrl,
    JWT_SECRET: 'bench',
    COOKIE_SECRET: 'bench',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_NO_WARNINGS: '1',
  };
  const shop = await prepare(env, join(folder.path, 'shop.json'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = stack.use(
    await startProcess(
      [process.execPath, CLI, 'start', '--host', '127.0.0.1', '--port', String(port)],
      { origin, readyPath: '/health', env, cwd: BUILT },
    ),
  );
  const owned = stack.move();
  return {
    origin,
    pid: server.pid,
    pids: () => [server.pid, ...listProcesses(data)],
    buy: (number) => buyAtMedusa(origin, shop, number),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A sandbox that sends no events: the buyer's return alone completes an order. */
async function startProvider(dataDir: string) {
  const port = await findFreePort();
  return openSandboxApi({
    dataDir,
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    log: { info() {}, warn() {}, error: console.error },
  });
}

/** Installs, builds, migrates and seeds. */
async function prepare(env: NodeJS.ProcessEnv, shopFile: string): Promise<Shop> {
  const sources = { cwd: PROJECT, env };
  if (!isInstalled()) await run('npm', ['ci', '--ignore-scripts'], { cwd: PROJECT });
  await run(process.execPath, [CLI, 'build'], sources);
  const built = { cwd: BUILT, env };
  await run(process.execPath, [CLI, 'db:migrate'], built);
  await run(process.execPath, [CLI, 'exec', 'seed.js', shopFile], built);
  return JSON.parse(readFileSync(shopFile, 'utf8'));
}

function isInstalled(): boolean {
  const wanted = statSync(join(PROJECT, 'package-lock.json'));
  const found = statSync(join(PROJECT, 'node_modules', '.package-lock.json'), {
    throwIfNoEntry: false,
  });
  return found !== undefined && found.mtimeMs > wanted.mtimeMs;
}

async function run(
  file: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}.`);
}

/** PostgreSQL has a process for each connection. */
function listProcesses(data: string): number[] {
  const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(' ')].map(Number);
}
