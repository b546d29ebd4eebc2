import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDatabase } from '../../../tests/postgres.ts';
import { openPostgres } from '../../database/postgres.ts';
import { createAuth } from './create-auth.ts';
import { migrateAuth } from './migrate-auth.ts';

test('several processes may start at once on a new PostgreSQL database', async () => {
  const database = await createDatabase();
  const problems: string[] = [];
  const write = (_fields: object, message: string) => {
    problems.push(message);
  };
  const processes = Array.from({ length: 4 }, () => {
    const db = openPostgres(database.url, { onLost: () => {} });
    const auth = createAuth({
      db,
      databaseKind: 'postgres',
      publicUrl: 'http://localhost:3000',
      secret: 'a secret of the tests '.repeat(2),
      mails: { sendCode: async () => {}, sendNotice: async () => {} },
      mailAllowance: null,
      log: { debug: write, warn: write, error: write },
    });
    return { db, auth };
  });
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
