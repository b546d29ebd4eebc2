import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createDatabase } from '../../tests/postgres.ts';
import { openFileStores } from '../files/file-stores.test.support.ts';
import { openPostgres } from './postgres.ts';

/** What SQLite calls FULL: the log is synced at each commit. */
const FULL = 2;

test('a commit of SQLite is on the disk before it is reported', async () => {
  const { db, close } = await openFileStores('sqlite');
  const read = async (pragma: string) => (await sql.raw(pragma).execute(db)).rows;
  expect(await read('pragma synchronous')).toEqual([{ synchronous: FULL }]);
  expect(await read('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  await close();
});

test.each([{ patient: false }, { patient: true }])(
  'a commit of PostgreSQL is on the disk before it is reported, whatever the server was told (%o)',
  async ({ patient }) => {
    const { url, drop } = await createDatabase();
    const bare = new pg.Client({ connectionString: url });
    await bare.connect();
    expect((await bare.query('show synchronous_commit')).rows).toEqual([
      { synchronous_commit: 'off' },
    ]);
    await bare.end();
    const db = openPostgres(url, { onLost: () => {}, patient });
    expect((await sql`show synchronous_commit`.execute(db)).rows).toEqual([
      { synchronous_commit: 'on' },
    ]);
    await db.destroy();
    await drop();
  },
);
