import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { eventually } from '../harness/eventually.ts';
import type { App } from '../harness/start-app.ts';

type Place = Pick<App, 'dataDir' | 'env'>;

/** Runs statements in the product's database on a connection of its own, as an operator would. */
export async function runSql({ dataDir, env }: Place, statements: string): Promise<void> {
  if (env.DATABASE_URL) {
    const client = new pg.Client(env.DATABASE_URL);
    await client.connect();
    try {
      await client.query(statements);
    } finally {
      await client.end();
    }
    return;
  }
  const database = new DatabaseSync(join(dataDir, 'padlink.sqlite'), { timeout: 0 });
  try {
    // SQLite would wait in the thread of the product, which may be whom it waits for.
    await eventually(() => database.exec('begin immediate'), { intervalMs: 5 });
    database.exec(`${statements}; commit`);
  } finally {
    database.close();
  }
}
