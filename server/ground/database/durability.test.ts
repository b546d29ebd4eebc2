import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../tests/harness/eventually.ts';
import { createDatabase } from '../../../tests/harness/postgres.ts';
import { remedyFor, StorageFault, UnconfirmedChange } from '../lib/cannot-store.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { CommitLog } from './sqlite-driver.ts';
import type { Tables } from './tables.ts';
import { announce, publishBy, transaction } from './transaction.ts';

/** A database whose log is flushed when the test says so. */
async function openSlowDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'padlink-durability-'));
  const file = join(folder, 'padlink.sqlite');
  const flushes: PromiseWithResolvers<void>[] = [];
  const openSlow = async (): Promise<CommitLog> => ({
    datasync() {
      const flush = Promise.withResolvers<void>();
      flushes.push(flush);
      return flush.promise;
    },
    close: async () => {},
  });
  const setUp = openSqlite(file);
  await sql`create table page (text text)`.execute(setUp);
  await setUp.destroy();
  const db = openSqlite(file, { openLog: openSlow });
  onTestFinished(async () => {
    for (const flush of flushes) flush.resolve();
    await db.destroy();
    rmSync(folder, { recursive: true });
  });
  const reported: string[] = [];
  return {
    db,
    file,
    flushes,
    reported,
    write: (text: string) =>
      sql`insert into page values (${text})`.execute(db).then(() => reported.push(text)),
    async read() {
      const { rows } = await sql<{ text: string }>`select text from page order by rowid`.execute(
        db,
      );
      return rows.map(({ text }) => text);
    },
  };
}

describe('SQLite', () => {
  test('has each commit on the disk before it is reported, and holds up nobody else for it', async () => {
    const { db, flushes, reported, write, read } = await openSlowDisk();
    const changes: unknown[] = [];
    publishBy(db, (change) => changes.push(change));
    const first = transaction(db, async (trx) => {
      await sql`insert into page values ('first')`.execute(trx);
      announce(trx, { kind: 'link-created', id: 'first', ownerId: 'ada' });
    }).then(() => reported.push('first'));
    await eventually(async () => expect(flushes).toHaveLength(1));
    expect(await read()).toEqual(['first']);
    // Committed while a flush is under way, which may have begun without them.
    const others = Promise.all([write('second'), write('third')]);
    await eventually(async () => expect(await read()).toEqual(['first', 'second', 'third']));
    expect([reported, changes]).toEqual([[], []]);
    flushes[0]?.resolve();
    await first;
    expect([reported, changes]).toMatchObject([['first'], [{ id: 'first' }]]);
    await eventually(async () => expect(flushes).toHaveLength(2));
    flushes[1]?.resolve();
    await others;
    expect(reported).toEqual(['first', 'second', 'third']);
    expect(flushes).toHaveLength(2);
  });

  test('flushes nothing for whoever reads, nor for what it refused to write', async () => {
    const { db, flushes, read } = await openSlowDisk();
    await expect(sql`insert into missing values (1)`.execute(db)).rejects.toThrow('no such table');
    expect(await read()).toEqual([]);
    await sql`with kept as (select text from page) select * from kept`.execute(db);
    expect(flushes).toEqual([]);
    sql`with kept(text) as (select 'written') insert into page select text from kept`.execute(db);
    await eventually(() => expect(flushes).toHaveLength(1));
  });

  test('changes nothing any more once the disk has refused a commit, until it is opened again', async () => {
    const { db, file, flushes, write, read } = await openSlowDisk();
    const begun = [write('lost'), write('lost too')];
    await eventually(async () => expect(flushes).toHaveLength(1));
    flushes[0]?.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    const faults = await Promise.all(
      [...begun, write('later')].map((refused) => refused.catch((error: unknown) => error)),
    );
    const [first, second, later] = faults;
    // Only of what was committed before is it uncertain whether it will be found again.
    expect([first, second]).toEqual([expect.any(UnconfirmedChange), expect.any(UnconfirmedChange)]);
    expect(later).not.toBeInstanceOf(UnconfirmedChange);
    for (const fault of faults) {
      expect(fault).toBeInstanceOf(StorageFault);
      expect(remedyFor(fault)).toContain('restart Padlink');
    }
    await expect(db.transaction().execute(async () => {})).rejects.toThrow(StorageFault);
    expect(await read()).not.toContain('later');
    await sql`with kept as (select text from page) select * from kept`.execute(db);
    expect(flushes).toHaveLength(1);
    const size = statSync(file).size;
    await db.destroy();
    // What the disk may have refused stays in the log, whose sums are checked when it is opened.
    expect(statSync(file).size).toBe(size);
    const again = openSqlite(file);
    await sql`insert into page values ('again')`.execute(again);
    const { rows } = await sql`select text from page where text = 'again'`.execute(again);
    expect(rows).toEqual([{ text: 'again' }]);
    await again.destroy();
  });

  test('commits nothing that was begun before the disk refused another commit', async () => {
    const { db, flushes, write, read } = await openSlowDisk();
    const refused = write('lost');
    await eventually(async () => expect(flushes).toHaveLength(1));
    const goOn = Promise.withResolvers<void>();
    const open = transaction(db, async (trx) => {
      await sql`insert into page values ('open')`.execute(trx);
      flushes[0]?.reject(new Error('EIO'));
      await goOn.promise;
    });
    await expect(refused).rejects.toThrow(UnconfirmedChange);
    goOn.resolve();
    await expect(open).rejects.toThrow(StorageFault);
    expect(await read()).toEqual(['lost']);
  });

  test('is closed when whoever wrote last knows what became of it, and not at all once that is lost', async () => {
    const { db, file, flushes, reported, write } = await openSlowDisk();
    const kept = write('kept');
    await eventually(async () => expect(flushes).toHaveLength(1));
    const closed = db.destroy().then(() => reported.push('closed'));
    await sleep(50);
    expect([reported, existsSync(`${file}-wal`)]).toEqual([[], true]);
    flushes[0]?.resolve();
    await Promise.all([kept, closed]);
    expect(reported).toEqual(['kept', 'closed']);
    const again = await openSlowDisk();
    const lost = again.write('lost');
    await eventually(async () => expect(again.flushes).toHaveLength(1));
    const left = again.db.destroy();
    again.flushes[0]?.reject(new Error('EIO'));
    await expect(lost).rejects.toThrow(UnconfirmedChange);
    await left;
    expect(existsSync(`${again.file}-wal`)).toBe(true);
  });

  test('leaves the log to a server that has the file open', async () => {
    const { db, file, flushes, write } = await openSlowDisk();
    write('of the server');
    await eventually(async () => expect(flushes).toHaveLength(1));
    flushes[0]?.resolve();
    const size = statSync(file).size;
    const beside = openSqlite(file, { isBeside: true });
    const text = 'x'.repeat(1_000);
    await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 8000)
      insert into page select ${text} from numbers`.execute(beside);
    await beside.destroy();
    expect(statSync(file).size).toBe(size);
    await db.destroy();
    const alone = openSqlite(file, { isBeside: true });
    await sql`insert into page values ('of a command')`.execute(alone);
    await alone.destroy();
  });

  test('is flushed beside its file, also where that is reached by a symbolic link', async () => {
    const { file } = await openSlowDisk();
    const link = `${file} linked`;
    symlinkSync(file, link);
    const linked = openSqlite(link);
    await sql`insert into page values ('linked')`.execute(linked);
    const { rows } = await sql`select text from page`.execute(linked);
    expect(rows).toEqual([{ text: 'linked' }]);
    await linked.destroy();
  });

  test('is flushed by Padlink where it keeps a log, and otherwise by itself', async () => {
    const { db } = await openSlowDisk();
    const inMemory = openSqlite(':memory:');
    const ask = async (asked: Kysely<Tables>) => {
      const { rows } = await sql<object>`select journal_mode, synchronous
        from pragma_journal_mode, pragma_synchronous`.execute(asked);
      return Object.values(rows[0] ?? {});
    };
    const [NORMAL, FULL] = [1, 2];
    expect(await ask(db)).toEqual(['wal', NORMAL]);
    expect(await ask(inMemory)).toEqual(['memory', FULL]);
    await inMemory.destroy();
  });
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
