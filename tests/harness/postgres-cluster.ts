import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { eventually, whileAlive } from './eventually.ts';
import { findFreePort } from './free-port.ts';
import { findPostgres } from './postgres-binaries.ts';
import { unprivileged } from './unprivileged.ts';

export type Cluster = {
  /** Of the maintenance database, as a superuser. */
  url: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port, after `kill`. */
  start(): Promise<void>;
  /** Cuts every connection and starts again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

// A test's database need not survive a power cut, but it does survive its own death: the product
// asks for that by itself.
const settings = {
  listen_addresses: '127.0.0.1',
  // The path of a folder may be too long for a socket.
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Tests that look at plans say themselves when statistics are gathered.
  autovacuum: 'off',
};

function createDataFolder(bin: string, data: string): void {
  mkdirSync(data);
  if (unprivileged.uid) chownSync(data, unprivileged.uid, unprivileged.gid);
  const options = ['-U', 'padlink', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), ['-D', data, ...options], { ...unprivileged, stdio: 'pipe' });
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  let output = '';
  server.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  await whileAlive(server, async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
  }).catch((cause) => {
    throw new Error(`PostgreSQL did not start: ${output}`, { cause });
  });
}

/**
 * Starts an empty PostgreSQL on a random port of 127.0.0.1, with its data in a new folder.
 * @param more settings that differ
 */
export async function startCluster(data: string, more = {}): Promise<Cluster> {
  const bin = join(findPostgres(), 'bin');
  createDataFolder(bin, data);
  return serve(bin, data, more);
}

/**
 * Starts an empty PostgreSQL and a standby that has every commit as soon as it is answered: neither
 * has been started before, so that a copy of the one is the other.
 */
export async function startPair(
  primaryData: string,
  standbyData: string,
): Promise<{ primary: Cluster; standby: Cluster & { promote(): Promise<void> } }> {
  const bin = join(findPostgres(), 'bin');
  createDataFolder(bin, primaryData);
  execFileSync('cp', ['-a', primaryData, standbyData]);
  writeFileSync(join(standbyData, 'standby.signal'), '');
  const primary = await serve(bin, primaryData);
  const { port } = new URL(primary.url);
  const standby = await serve(bin, standbyData, {
    primary_conninfo: `host=127.0.0.1 port=${port} user=padlink`,
  });
  await run(primary.url, `alter system set synchronous_standby_names = '*'`);
  await run(primary.url, 'select pg_reload_conf()');
  return {
    primary,
    standby: { ...standby, promote: () => run(standby.url, 'select pg_promote()') },
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function serve(bin: string, data: string, more = {}): Promise<Cluster> {
  const port = await findFreePort();
  const options = Object.entries({ ...settings, ...more, port }).map(
    ([name, value]) => `-c${name}=${value}`,
  );
  const url = `postgres://padlink@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;

  async function start(): Promise<void> {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
      ...unprivileged,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await waitUntilReady(url, server);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }

  const abort = () => server.kill('SIGKILL');
  process.once('exit', abort);
  await start();
  return {
    url,
    kill: () => end('SIGKILL'),
    // What a killed one left behind may still be ending.
    start: () => eventually(start),
    async restart() {
      await end('SIGINT');
      await start();
    },
    async stop() {
      await end('SIGINT');
      process.off('exit', abort);
    },
  };
}
