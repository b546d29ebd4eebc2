import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../tests/harness/postgres.ts';
import { DomainError } from '../lib/domain-error.ts';
import { countConnections, openPostgres } from './postgres.ts';
import { prepare } from './prepare.ts';
import type { Database } from './tables.ts';
import { transaction } from './transaction.ts';

const readUsers = prepare((db, email: string) =>
  db.selectFrom('user').selectAll().where('email', '=', email),
);
const addChoice = prepare((db, owner_id: string) =>
  db.insertInto('notification_choice').values({ owner_id, hour_from: 0, hour_sales: 1 }),
);

async function openWithTables(): Promise<{ db: Database; url: string }> {
  const { url } = await createDatabase();
  const db = openPostgres(url, { onLost: () => {} });
  onTestFinished(() => db.destroy());
  await sql`create table "user" (email text)`.execute(db);
  await sql`create table notification_choice
    (owner_id text primary key, hour_from bigint, hour_sales bigint)`.execute(db);
  return { db, url };
}

/** A connection beside those of the pool. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const namesOf = async (db: Database) =>
  (await db.selectFrom('notification_choice').orderBy('owner_id').select('owner_id').execute()).map(
    ({ owner_id }) => owner_id,
  );

const DUPLICATE = /duplicate key value/;

test('a change that fails is reported to who began the transaction, of which nothing is kept', async () => {
  const { db } = await openWithTables();
  await addChoice(db, 'ada');
  const beforeRead = transaction(db, async (trx) => {
    await addChoice(trx, 'bob');
    await addChoice(trx, 'ada');
    await readUsers(trx, 'ada@example.com');
    throw new Error('It went on.');
  });
  await expect(beforeRead).rejects.toThrow(DUPLICATE);
  const beforeCommit = transaction(db, async (trx) => {
    await namesOf(trx);
    await addChoice(trx, 'ada');
    await addChoice(trx, 'bob');
  });
  await expect(beforeCommit).rejects.toThrow(DUPLICATE);
  const givenUp = transaction(db, async (trx) => {
    await namesOf(trx);
    await addChoice(trx, 'ada');
    throw new Error('It gave up.');
  });
  await expect(givenUp).rejects.toThrow('It gave up.');
  const swallowed = transaction(db, async (trx) => {
    await addChoice(trx, 'ada');
    await namesOf(trx).catch(() => {});
    await addChoice(trx, 'bob');
  });
  await expect(swallowed).rejects.toThrow(DUPLICATE);
  expect(await namesOf(db)).toEqual(['ada']);
  await transaction(db, (trx) => addChoice(trx, 'bob'));
  expect(await namesOf(db)).toEqual(['ada', 'bob']);
  expect(countConnections(db)).toMatchObject({ total: 1, idle: 1 });
});

test('a connection that is lost with changes on their way keeps none, and the next one works', async () => {
  const { db, url } = await openWithTables();
  const other = await connect(url);
  const lost = transaction(db, async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await addChoice(trx, 'ada');
    await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await addChoice(trx, 'bob');
    await namesOf(trx);
  });
  await expect(lost).rejects.toThrow(DomainError);
  expect(await namesOf(db)).toEqual([]);
  await transaction(db, (trx) => addChoice(trx, 'ada'));
  expect(await namesOf(db)).toEqual(['ada']);
});

test('many reads at once go over few connections, each with its own answer', async () => {
  const { db } = await openWithTables();
  const emails = Array.from({ length: 40 }, (_, number) => `${number}@example.com`);
  await sql`insert into "user" select unnest(${emails}::text[])`.execute(db);
  const found = await Promise.all(emails.map((email) => readUsers(db, email)));
  expect(found.flat()).toEqual(emails.map((email) => ({ email })));
  expect(countConnections(db).total).toBeLessThanOrEqual(3);
});

test('of reads that were sent together, one that is canceled takes no other along', async () => {
  const { db, url } = await openWithTables();
  await sql`insert into "user" values ('ada@example.com')`.execute(db);
  const other = await connect(url);
  await other.query('begin; lock table "user"');
  const reads = [1, 2, 3].map(() => readUsers(db, 'ada@example.com'));
  const ended = Promise.allSettled(reads);
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock'
    and datname = current_database()`;
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
  const [{ pid }] = (await other.query(waiting)).rows;
  await other.query('select pg_cancel_backend($1)', [pid]);
  await expect(reads[0]).rejects.toThrow(DomainError);
  await other.query('commit');
  const read = { status: 'fulfilled', value: [{ email: 'ada@example.com' }] };
  expect((await ended).slice(1)).toEqual([read, read]);
  expect(await readUsers(db, 'ada@example.com')).toHaveLength(1);
});

test('a server on the same machine can be asked through its socket', async () => {
  const { url } = await createDatabase();
  const { pathname, port, username } = new URL(url);
  const { rows } = await (await connect(url)).query('show unix_socket_directories');
  const search = new URLSearchParams({
    host: rows[0].unix_socket_directories,
    port,
    user: username,
  });
  const db = openPostgres(`postgres://${pathname}?${search}`, { onLost: () => {} });
  onTestFinished(() => db.destroy());
  const asked = await sql`select inet_client_addr() as address`.execute(db);
  expect(asked.rows).toEqual([{ address: null }]);
});

test('a database that was only read from is closed as well', async () => {
  const { url } = await openWithTables();
  const db = openPostgres(url, { onLost: () => {} });
  await readUsers(db, 'ada@example.com');
  expect(countConnections(db).total).toBe(1);
  await db.destroy();
  expect(countConnections(db).total).toBe(0);
});
