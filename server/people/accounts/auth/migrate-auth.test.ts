import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventually } from '../../../../tests/harness/eventually.ts';
import { createDatabase } from '../../../../tests/harness/postgres.ts';
import { migrate } from '../../../ground/database/migrate.ts';
import { openPostgres } from '../../../ground/database/postgres.ts';
import { createAuth } from './create-auth.ts';
import { migrateAuth } from './migrate-auth.ts';

const problems: string[] = [];

function openProcess(url: string) {
  const write = (_fields: object, message: string) => {
    problems.push(message);
  };
  const db = openPostgres(url, { onLost: () => {} });
  const auth = createAuth({
    db,
    databaseKind: 'postgres',
    publicUrl: 'http://localhost:3000',
    siteName: 'Padlink',
    secret: 'a secret of the tests '.repeat(2),
    sendLetter: async () => {},
    mailAllowance: null,
    log: { debug: write, warn: write, error: write },
  });
  return { db, auth };
}

test('several processes may start at once on a new PostgreSQL database', async () => {
  const database = await createDatabase();
  const processes = Array.from({ length: 4 }, () => openProcess(database.url));
  try {
    await Promise.all(processes.map(({ db, auth }) => migrateAuth(auth, db)));
    for (const { db } of processes) {
      const { rows } = await sql`select "firstName" from "user"`.execute(db);
      expect(rows).toEqual([]);
      const indexes = await sql`
        select 1 from pg_indexes where indexname = 'user_unconfirmed'`.execute(db);
      expect(indexes.rows).toHaveLength(1);
    }
    expect(problems).toEqual([]);
  } finally {
    await Promise.all(processes.map(({ db }) => db.destroy()));
    await database.drop();
  }
});

test('a process waits while another one creates and drops tables', async () => {
  const database = await createDatabase();
  const [one, other] = [openProcess(database.url), openProcess(database.url)];
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  try {
    const up = async () => {
      begun.resolve();
      await goOn.promise;
    };
    const migrating = migrate(one.db, { '101-slow': { up } });
    await begun.promise;
    const starting = migrateAuth(other.auth, other.db);
    await eventually(async () => {
      const waiting = await sql`
        select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
        one.db,
      );
      expect(waiting.rows).toHaveLength(1);
    });
    goOn.resolve();
    await Promise.all([migrating, starting]);
    expect(problems).toEqual([]);
  } finally {
    goOn.resolve();
    await Promise.all([one, other].map(({ db }) => db.destroy()));
    await database.drop();
  }
});
