import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { App } from './start-app.ts';

/**
 * Copies the database of a product that does not run. The function that it returns puts the copy
 * in the place of the database, of a product that does not run either.
 */
export async function backUp({ dataDir, env }: App): Promise<() => Promise<void>> {
  if (env.DATABASE_URL) return backUpPostgres(env.DATABASE_URL);
  const file = join(dataDir, 'padlink.sqlite');
  const copy = (from: string, to: string) =>
    Promise.all(
      ['', '-wal'].map(async (end) => {
        await rm(to + end, { force: true });
        await copyFile(from + end, to + end).catch(() => {});
      }),
    );
  await copy(file, `${file}.backup`);
  return async () => {
    await rm(`${file}-shm`, { force: true });
    await copy(`${file}.backup`, file);
  };
}

async function backUpPostgres(url: string): Promise<() => Promise<void>> {
  const name = new URL(url).pathname.slice(1);
  const replace = async (to: string, from: string) => {
    const client = new pg.Client(Object.assign(new URL(url), { pathname: '/postgres' }).href);
    await client.connect();
    try {
      // A killed process leaves its connections for a moment.
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [from],
      );
      await client.query(`drop database if exists ${to} with (force)`);
      await client.query(`create database ${to} template ${from}`);
    } finally {
      await client.end();
    }
  };
  await replace(`${name}_backup`, name);
  return () => replace(name, `${name}_backup`);
}
