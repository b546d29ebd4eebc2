import { existsSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { App } from '../harness/start-app.ts';

/**
 * Copies the database of a product that was stopped. The function that it returns puts the copy
 * in the place of the database, of a product that was stopped as well.
 */
export async function backUp({ dataDir, env }: App): Promise<() => Promise<void>> {
  if (env.DATABASE_URL) return backUpPostgres(env.DATABASE_URL);
  const file = join(dataDir, 'padlink.sqlite');
  // A server that was stopped in a hurry leaves a log of what it had not brought in yet.
  const parts = [file, `${file}-wal`].filter((part) => existsSync(part));
  for (const part of parts) await copyFile(part, `${part}.backup`);
  return async () => {
    await rm(`${file}-wal`, { force: true });
    for (const part of parts) await copyFile(`${part}.backup`, part);
  };
}

async function backUpPostgres(url: string): Promise<() => Promise<void>> {
  const name = new URL(url).pathname.slice(1);
  const replace = async (to: string, from: string) => {
    const client = new pg.Client(Object.assign(new URL(url), { pathname: '/postgres' }).href);
    await client.connect();
    try {
      await client.query(`drop database if exists ${to} with (force)`);
      await client.query(`create database ${to} template ${from}`);
    } finally {
      await client.end();
    }
  };
  await replace(`${name}_backup`, name);
  return () => replace(name, `${name}_backup`);
}
