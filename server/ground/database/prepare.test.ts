import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../tests/harness/postgres.ts';
import { DomainError } from '../lib/domain-error.ts';
import { openPostgres } from './postgres.ts';
import { prepare } from './prepare.ts';

const readUsers = prepare((db, email: string) =>
  db.selectFrom('user').selectAll().where('email', '=', email),
);

test('what is prepared on PostgreSQL goes on when a newer release adds a column', async () => {
  const { url } = await createDatabase();
  const db = openPostgres(url, { onLost: () => {} });
  onTestFinished(() => db.destroy());
  await sql`create table "user" (email text)`.execute(db);
  await sql`insert into "user" values ('ada@example.com')`.execute(db);
  const read = (handle = db) => readUsers(handle, 'ada@example.com');
  expect(await read()).toEqual([{ email: 'ada@example.com' }]);
  await sql`alter table "user" add name text`.execute(db);
  expect(await read()).toEqual([{ email: 'ada@example.com', name: null }]);
  // Another connection, whose transaction is lost with the query: whoever began it may try again.
  const other = openPostgres(url, { onLost: () => {} });
  onTestFinished(() => other.destroy());
  await read(other);
  await sql`alter table "user" add age integer`.execute(db);
  const inTransaction = other.transaction().execute((trx) => read(trx));
  await expect(inTransaction).rejects.toThrow(DomainError);
  const again = await other.transaction().execute((trx) => read(trx));
  expect(again).toMatchObject([{ age: null }]);
});
