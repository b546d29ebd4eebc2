import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../server/ground/database/migrate.ts';
import { connectAnew } from '../../server/ground/database/postgres.ts';
import { eventually } from '../harness/eventually.ts';
import { skipWithout } from '../harness/needs.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { POSTGRES_VARIABLE } from '../harness/postgres.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

async function askReadiness(app: { port: number }) {
  const answer = await fetch(`http://127.0.0.1:${app.port}/readyz`);
  return { httpStatus: answer.status, ...((await answer.json()) as Record<string, unknown>) };
}

/** Waits for an answer: what was found a moment ago is still said. */
const waitFor = (app: { port: number }, expected: object) =>
  eventually(async () => expect(await askReadiness(app)).toMatchObject(expected));

const READY = {
  httpStatus: 200,
  status: 'ready',
  database: true,
  storage: true,
  migrations: true,
  faults: { database: null, storage: null },
};
const NOT_READY = { httpStatus: 503, status: 'not ready' };

describeOnSqliteFirst('readiness', (database) => {
  const app = useApp({ database });

  /** When the database was last looked at. */
  const probedAt = () =>
    withDatabase(app, async (db) => {
      const probe = await db.selectFrom('probe').select('written_at').executeTakeFirst();
      return probe?.written_at;
    });

  test('needs a folder to store files in', { tags: 'long' }, async () => {
    await waitFor(app, { ...READY, deadLetters: 0 });
    const blobs = join(app.dataDir, 'blobs');
    // As where a disk was not mounted; statfs alone is content with any path.
    renameSync(blobs, `${blobs}-away`);
    writeFileSync(blobs, '');
    const faults = { database: null, storage: 'It is missing.' };
    await waitFor(app, { ...NOT_READY, database: true, storage: false, faults });
    rmSync(blobs);
    renameSync(`${blobs}-away`, blobs);
    await waitFor(app, READY);
  });

  test('ends while a migration of this version is missing', { tags: 'long' }, async () => {
    const rename = (from: string, to: string) =>
      withDatabase(app, (db) =>
        sql`update kysely_migration set name = ${to} where name = ${from}`.execute(db),
      );
    const newest = Object.keys(MIGRATIONS).at(-1) ?? '';
    await waitFor(app, READY);
    await rename(newest, '000-older');
    await waitFor(app, { ...NOT_READY, database: true, storage: true, migrations: false });
    await rename('000-older', newest);
    await waitFor(app, READY);
  });

  test('outlasts the migrations of a newer version, whose processes take over', {
    tags: 'long',
  }, async () => {
    await waitFor(app, READY);
    await withDatabase(app, (db) =>
      sql`insert into kysely_migration (name, timestamp) values ('999-newer', '')`.execute(db),
    );
    const addedAt = Date.now();
    const found = await eventually(async () => {
      const answer = await askReadiness(app);
      // What was found before is still said for a moment.
      expect(answer).toMatchObject({ database: true });
      expect(Number(await probedAt())).toBeGreaterThan(addedAt);
      return answer;
    });
    expect(found).toMatchObject(READY);
    await withDatabase(app, (db) =>
      sql`delete from kysely_migration where name = '999-newer'`.execute(db),
    );
  });

  test('tells how many jobs were given up, and is none the worse for it', {
    tags: 'long',
  }, async () => {
    await withDatabase(app, (db) =>
      db
        .insertInto('job')
        .values({
          id: `dead-${database}`,
          kind: 'send-receipt',
          lane: 'mail',
          payload: '{}',
          run_at: 0,
          attempts: 15,
          unended: 0,
          lease_id: null,
          locked_until: 0,
          died_at: 1,
          last_error: null,
          created_at: 0,
        })
        .execute(),
    );
    await waitFor(app, { ...READY, deadLetters: 1 });
  });

  test('is found once for all who ask at the same time', { tags: 'long' }, async () => {
    const written = new Set<unknown>();
    const startedAt = performance.now();
    for (let round = 0; round < 50; round++) {
      await Promise.all(Array.from({ length: 10 }, () => askReadiness(app)));
      written.add(await probedAt());
    }
    const seconds = (performance.now() - startedAt) / 1000;
    // One a second, and what was there before; never one a request.
    expect(written.size).toBeLessThanOrEqual(seconds + 2);
  });
});

test('readiness ends with a full disk, and with one that became read-only', {
  tags: 'long',
}, async () => {
  const disk = mountSmallDisk(8);
  if (!disk) return skipWithout('mount');
  onTestFinished(disk.remove);
  const blobs = join(disk.path, 'blobs');
  mkdirSync(blobs);
  const app = await startApp();
  onTestFinished(() => app.stop());
  const own = join(app.dataDir, 'blobs');
  execFileSync('mount', ['--bind', blobs, own]);
  onTestFinished(() => void execFileSync('umount', ['-l', own]));
  await waitFor(app, READY);

  disk.fill();
  await waitFor(app, { ...NOT_READY, storage: false, faults: { storage: 'The disk is full.' } });
  disk.empty();
  await waitFor(app, READY);

  execFileSync('mount', ['-o', 'remount,ro,bind', own]);
  const faults = { storage: 'It cannot be written to.' };
  await waitFor(app, { ...NOT_READY, storage: false, faults });
});

test('readiness ends while PostgreSQL lets nobody in, and while it does not answer', {
  tags: 'long',
}, async () => {
  const app = await startApp({ database: 'postgres' });
  onTestFinished(() => app.stop());
  const { pathname, href } = new URL(app.env.DATABASE_URL ?? '');
  const client = new pg.Client({ connectionString: process.env[POSTGRES_VARIABLE] });
  const locker = new pg.Client({ connectionString: href });
  await Promise.all([client.connect(), locker.connect()]);
  onTestFinished(async () => {
    await Promise.all([client.end(), locker.end()]);
  });
  const admit = (answer: boolean) =>
    client.query(`alter database ${pathname.slice(1)} allow_connections ${answer}`);

  await waitFor(app, READY);
  await admit(false);
  await waitFor(app, { ...NOT_READY, database: false, storage: true, deadLetters: null });
  await admit(true);
  await waitFor(app, READY);
  await locker.query('begin; lock table probe');
  const faults = { database: 'It does not respond.' };
  await waitFor(app, { ...NOT_READY, database: false, storage: true, faults });
  await locker.query('rollback');
  await waitFor(app, READY);
});

test('readiness is not kept waiting by a connection that the network takes no leave from', async () => {
  const target = new URL(process.env[POSTGRES_VARIABLE] ?? '');
  const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);
  const line = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    client.on('data', (bytes: Buffer) => bytes.includes(TERMINATE) || upstream.write(bytes));
    upstream.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    onTestFinished(() => {
      client.destroy();
      upstream.destroy();
    });
  });
  await once(line.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void line.close());
  const { port } = line.address() as AddressInfo;
  const { href } = Object.assign(new URL(target), { host: `127.0.0.1:${port}` });
  await expect(eventually(() => connectAnew(href))).resolves.toBeUndefined();
});
