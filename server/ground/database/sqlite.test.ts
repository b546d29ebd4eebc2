import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../tests/harness/eventually.ts';
import { skipWithout } from '../../../tests/harness/needs.ts';
import { mountSmallDisk } from '../../../tests/harness/small-disk.ts';
import { migrateAll } from '../../running/migrate-all.ts';
import { BeingMovedError } from '../lib/being-moved.ts';
import { cannotStore, isFull } from '../lib/cannot-store.ts';
import { closeWrites } from './close-writes.ts';
import { prepare } from './prepare.ts';
import { openSqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'padlink-sqlite-'));
const db = openSqlite(join(folder, 'padlink.sqlite'));

afterAll(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

const count = async () => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from page`.execute(db);
  return rows[0]?.n;
};

const insertTwo = () =>
  db.transaction().execute(async (transaction) => {
    await sql`insert into page values ('first')`.execute(transaction);
    await sql`insert into page values (${'x'.repeat(1_000_000)})`.execute(transaction);
  });

test('a database that was only read is closed as well', async () => {
  const file = join(folder, 'read.sqlite');
  const read = openSqlite(file);
  expect(
    await prepare((known) => known.selectFrom('sqlite_schema' as 'job').selectAll())(read),
  ).toEqual([]);
  await read.destroy();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('the states that rows are looked up by are words of the statement, and every other value is bound', async () => {
  const found = db
    .selectFrom('purchase')
    .select('purchase.id')
    .where('purchase.state', '=', 'open')
    .where('state', 'not in', ['settled', `it's` as 'expired'])
    .where('title', '=', 'open')
    .compile();
  expect(found.sql).toContain(
    `"purchase"."state" = 'open' and "state" not in ('settled', 'it''s') and "title" = ?`,
  );
  expect(found.parameters).toEqual(['open']);
  const findIn = prepare((known, states: ('open' | 'settled')[]) =>
    known.selectFrom('purchase').selectAll().where('state', 'in', states),
  );
  const bare = openSqlite(join(folder, 'states.sqlite'));
  await sql`create table purchase (state text)`.execute(bare);
  await sql`insert into purchase values ('open'), ('settled')`.execute(bare);
  expect(await findIn(bare, ['open'])).toEqual([{ state: 'open' }]);
  expect(await findIn(bare, ['settled'])).toEqual([{ state: 'settled' }]);
  await bare.destroy();
  const changed = db.updateTable('purchase').set({ state: 'expired' }).where('id', '=', 'a');
  expect(changed.compile()).toMatchObject({ parameters: ['expired', 'a'] });
});

test('a transaction that finds no room says so, changes nothing, and succeeds once there is room', async () => {
  await sql`create table page (text text)`.execute(db);
  await sql`pragma max_page_count = 50`.execute(db);
  const fault = await insertTwo().catch((error: unknown) => error);
  expect(fault).toMatchObject({ message: 'database or disk is full' });
  expect(isFull(fault)).toBe(true);
  expect(await count()).toBe(0);
  await sql`pragma max_page_count = 100000`.execute(db);
  await insertTwo();
  expect(await count()).toBe(2);
});

test('a database whose log does not fit into its file is opened on a full disk', async () => {
  const disk = mountSmallDisk(12);
  if (!disk) return skipWithout('mount');
  onTestFinished(disk.remove);
  const file = join(disk.path, 'padlink.sqlite');
  const killed = new DatabaseSync(file);
  killed.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table page (text)');
  const insert = killed.prepare('insert into page values (?)');
  for (let count = 0; count < 700; count++) insert.run('x'.repeat(3_000));
  const left = ['', '-wal'].map((end) => ({ path: file + end, bytes: readFileSync(file + end) }));
  killed.close();
  for (const { path, bytes } of left) writeFileSync(path, bytes);
  const room = join(disk.path, 'room for shared memory');
  writeFileSync(room, Buffer.alloc(64 * 1024));
  disk.fill();
  rmSync(room);
  const full = openSqlite(file);
  onTestFinished(() => full.destroy());
  const { rows } = await sql`select count(*) as n from page`.execute(full);
  expect(rows).toEqual([{ n: 700 }]);
  expect(statSync(file).size).toBeLessThan(statSync(`${file}-wal`).size / 2);
});

test('a database that may only be read says so', async () => {
  await sql`pragma query_only = 1`.execute(db);
  const fault = await insertTwo().catch((error: unknown) => error);
  expect([cannotStore(fault), isFull(fault)]).toEqual([true, false]);
  await sql`pragma query_only = 0`.execute(db);
});

test('a transaction that fails for another reason is rolled back and says why', async () => {
  const before = await count();
  const broken = db.transaction().execute(async (transaction) => {
    await sql`insert into page values ('third')`.execute(transaction);
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  expect(await count()).toBe(before);
});

test('what is read beside a transaction sees nothing of it', async () => {
  const read = () => db.executeQuery(CompiledQuery.raw('select count(*) as n from page'));
  const before = (await read()).rows;
  let beside: ReturnType<typeof read> | undefined;
  const taken = db.transaction().execute(async (transaction) => {
    await sql`insert into page values ('taken back')`.execute(transaction);
    beside = read();
    throw new Error('taken back');
  });
  await expect(taken).rejects.toThrow('taken back');
  expect((await beside)?.rows).toEqual(before);
});

test('reads of one turn share a transaction, which hides nothing from them or from later ones', async () => {
  const file = join(folder, 'shared.sqlite');
  const shared = openSqlite(file);
  onTestFinished(() => shared.destroy());
  await sql`create table page (text text)`.execute(shared);
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  const read = async () => {
    const query = CompiledQuery.raw('select count(*) as n from page');
    return (await shared.executeQuery<{ n: number }>(query)).rows[0]?.n;
  };
  await nextTurn();
  const ran = vi.spyOn(StatementSync.prototype, 'run');
  onTestFinished(() => ran.mockRestore());
  expect(await read()).toBe(0);
  await nextTurn();
  expect(ran).toHaveBeenCalledTimes(0);
  const reads = [read(), read(), read()];
  // Too late for them, who read what was committed when the first two were.
  other.exec("insert into page values ('of another connection')");
  reads.push(read());
  expect(await Promise.all(reads)).toEqual([0, 0, 0, 0]);
  await nextTurn();
  // It was begun and ended once.
  expect(ran).toHaveBeenCalledTimes(2);
  expect(await read()).toBe(1);
  const written = await Promise.all([read(), read(), shared.executeQuery(INSERT).then(read)]);
  expect(written).toEqual([1, 1, 2]);
});

const INSERT = CompiledQuery.raw("insert into page values ('of this one')");

test('a write is refused at once while the database is moved: nobody is to wait for it', async () => {
  const moved = openSqlite(':memory:');
  onTestFinished(() => moved.destroy());
  await migrateAll(moved);
  await closeWrites(moved, { place: 'elsewhere', takes_database: 1, begun_at: 0 });
  const tried = vi.spyOn(StatementSync.prototype, 'run');
  onTestFinished(() => tried.mockRestore());
  const insert = moved.insertInto('discount_link').values({ discount_id: 'a', link_id: 'b' });
  await expect(insert.execute()).rejects.toBeInstanceOf(BeingMovedError);
  expect(tried).toHaveBeenCalledTimes(1);
});

test('a row has its values under their names, also when another program has added a column', async () => {
  await sql`create table kept (id text, word text)`.execute(db);
  await sql`create table other (word text)`.execute(db);
  await sql`insert into kept values ('a', 'first')`.execute(db);
  await sql`insert into other values ('second')`.execute(db);
  const both = sql<object>`select kept.*, other.word as beside from kept, other`;
  const row = { id: 'a', word: 'first', beside: 'second' };
  expect((await both.execute(db)).rows).toEqual([row]);
  const another = openSqlite(join(folder, 'padlink.sqlite'));
  await sql`alter table kept add column price integer default 5`.execute(another);
  await another.destroy();
  expect((await both.execute(db)).rows).toEqual([{ ...row, price: 5 }]);
  const kept = db.withTables<{ kept: object }>().selectFrom('kept').selectAll();
  const streamed = [];
  for await (const one of kept.stream()) streamed.push(one);
  expect(streamed).toEqual([{ id: 'a', word: 'first', price: 5 }]);
});

test('a change waits for the transaction of another connection, also where that needs this thread to end', async () => {
  const another = openSqlite(join(folder, 'padlink.sqlite'));
  onTestFinished(() => another.destroy());
  await sql`create table waited (word text)`.execute(db);
  const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const first = another.transaction().execute(async (transaction) => {
    await sql`insert into waited values ('first')`.execute(transaction);
    begun.resolve();
    await goOn;
  });
  await begun.promise;
  const second = sql`insert into waited values ('second')`.execute(db);
  setImmediate(end);
  await Promise.all([first, second]);
  const { rows } = await sql`select word from waited order by rowid`.execute(db);
  expect(rows).toEqual([{ word: 'first' }, { word: 'second' }]);
});

test('a long log is brought into the file while others write, and begins anew', async () => {
  const file = join(folder, 'written.sqlite');
  const written = openSqlite(file);
  await sql`create table page (text text)`.execute(written);
  const read = new DatabaseSync(file);
  onTestFinished(async () => {
    read.close();
    await written.destroy();
  });
  const readLog = () => Number(read.prepare('pragma wal_checkpoint(noop)').get()?.log);
  const fill = (count: number) =>
    written.transaction().execute(async (trx) => {
      for (let rows = 0; rows < count; rows += 1) {
        await sql`insert into page values (${'x'.repeat(6_000)})`.execute(trx);
      }
    });
  let longest = 0;
  await eventually(async () => {
    await fill(100);
    const length = readLog();
    longest = Math.max(length, longest);
    expect(length).toBeLessThan(longest);
  });
  // Far from where SQLite would do it by itself.
  expect(longest).toBeLessThan(8_192);
  expect(statSync(file).size).toBeGreaterThan(500 * 4_096);
  const { integrity_check } = read.prepare('pragma integrity_check').get() ?? {};
  expect(integrity_check).toBe('ok');
});
