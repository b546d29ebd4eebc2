import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  open,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import {
  readMail,
  sellFile,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { deleteFile, listBlobs } from '../factories/stored-files.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { createDatabase } from '../harness/postgres.ts';
import { followStart, refusalOfStart, runCli, spawnCli } from '../harness/run-command.ts';
import { spawnApp } from '../harness/spawn-app.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const LONG_AGO = new Date(Date.now() - 10 * 24 * 60 * 60 * 1000);
const SECRET = 'first-secret-'.repeat(4);

const file = (app: App, name: string) => join(app.dataDir, name);
const sqlite = (app: App) => file(app, 'padlink.sqlite');

/** As if every file had been there for days. */
async function age(app: App): Promise<void> {
  for (const blob of await listBlobs(app.dataDir)) {
    await utimes(file(app, `blobs/${blob}`), LONG_AGO, LONG_AGO);
  }
}

async function sellOne(app: App, seller: Person) {
  const link = await sellFile(seller);
  const buyer = createPerson(app);
  await payFor(buyer, link.id);
  await waitUntilUnlocked(buyer, link.id);
  return { ...link, buyer };
}

async function download(person: Person, key: string | null): Promise<Uint8Array> {
  return (await fetch(await storageUrl(person, key ?? ''))).bytes();
}

/** A copy of a database that a process died with, whole. */
function copyDatabase(from: string, to: string): void {
  using database = new DatabaseSync(from);
  database.prepare('VACUUM INTO ?').run(to);
}

async function replaceDatabase(app: App, by: string): Promise<void> {
  for (const suffix of ['-wal', '-shm']) await rm(`${sqlite(app)}${suffix}`, { force: true });
  await copyFile(by, sqlite(app));
}

/** Why the product does not start in this process. */
async function refusal(env: Record<string, string>): Promise<string> {
  const app = createApp(readConfig(env));
  try {
    await app.start();
  } catch (error) {
    return String(error);
  } finally {
    await app.stop();
  }
  throw new Error('It did not refuse.');
}

test('has a lockfile that names what each package needs on all platforms', async () => {
  const lockfile = await readFile(join(import.meta.dirname, '../..', 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockfile) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

describeOnSqliteFirst('files and database', (database) => {
  let app: App;
  let seller: Person;
  let sold: Awaited<ReturnType<typeof sellOne>>;
  let other: Awaited<ReturnType<typeof createDatabase>>;

  beforeAll(async () => {
    other = await createDatabase();
    app = await startApp({ database, env: { APP_SECRET: SECRET } });
    seller = await signUp(app);
    sold = await sellOne(app, seller);
  });
  afterAll(async () => {
    await app?.stop();
    await other.drop();
  });

  const mark = () => join(app.dataDir, 'blobs', 'installation');
  const isDelivered = async () => expect(await download(sold.buyer, sold.key)).toEqual(sold.bytes);

  /** The same folder with another database than the one that knows its files. */
  function elsewhere() {
    const { DATABASE_URL: _without, ...env } = app.env;
    return database === 'sqlite' ? { ...env, DATABASE_URL: other.url } : env;
  }

  test('of two installations refuse each other, and no file is lost', {
    tags: 'long',
  }, async () => {
    await age(app);
    await app.pause();
    const before = await listBlobs(app.dataDir);
    const said = await refusal(elsewhere());
    expect(said).toContain(app.dataDir);
    expect(said).toMatch(/Set DATABASE_URL/);
    expect(said).toContain('Nothing was changed.');
    expect(await listBlobs(app.dataDir)).toEqual(before);
    await app.restart();
    await isDelivered();
  });

  test('are tied on an upgrade, and after a crash between the two writes', {
    tags: 'long',
  }, async () => {
    const id = await readFile(mark(), 'utf8');
    const forget = () => withDatabase(app, (db) => db.deleteFrom('installation').execute());
    for (const lose of [() => rm(mark()), forget]) {
      await app.pause();
      await lose();
      await app.restart();
      expect(await readFile(mark(), 'utf8')).toBe(id);
    }
    await app.pause();
    await Promise.all([rm(mark()), forget()]);
    await app.restart();
    expect(await readFile(mark(), 'utf8')).toMatch(/^[0-9a-f-]{36}\n$/);
    await isDelivered();
  });

  test('of another secret refuse the start until it is accepted, and older personal links say so', {
    tags: 'long',
  }, async () => {
    const { text } = await readMail(app, BUYER_EMAIL);
    const personal = /https?:\/\/\S+\/access\/\S+/.exec(text)?.[0] ?? '';
    expect((await createPerson(app).fetch(personal)).status).toBe(200);
    await app.pause();
    app.env.APP_SECRET = 'another-secret-'.repeat(4);
    const said = await refusalOfStart(app.env);
    expect(said).toMatch(/^Padlink cannot start\. .*APP_SECRET is not the one/m);
    expect(said).toMatch(/personal links in all receipts/);
    expect(said).toContain('npm run cli -- secret accept');
    expect(said).not.toContain('another-secret-');
    expect(await runCli(app.env, 'secret', 'accept')).toMatchObject({ status: 0 });
    await app.restart();
    const answer = await createPerson(app).fetch(personal);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('This personal link is incomplete or no longer valid.');
  });

  test('of which one knows files that the other has not do not fit, unless the operator says so', async () => {
    await app.pause();
    await rm(join(app.dataDir, 'blobs'), { recursive: true });
    const said = await refusal(app.env);
    expect(said).toMatch(/lists files, but .*blobs contains none/);
    expect(said).toContain('npm run cli -- storage adopt');
    expect(await runCli(app.env, 'storage', 'adopt')).toMatchObject({ status: 0 });
    await app.restart();
  });
});

describe('a SQLite file', () => {
  let app: App;
  let seller: Person;
  let sold: Awaited<ReturnType<typeof sellOne>>;
  const aside = mkdtempSync(join(tmpdir(), 'padlink-aside-'));

  beforeAll(async () => {
    app = await startApp();
    seller = await signUp(app);
    sold = await sellOne(app, seller);
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(aside, { recursive: true });
  });

  test('belongs to one server at a time, which its commands may run beside', {
    tags: 'long',
  }, async () => {
    const said = await refusalOfStart({ ...app.env, LOG_LEVEL: 'info' });
    expect(said).toMatch(/waiting up to 12 s for the Padlink .*Padlink cannot start/s);
    expect(said).toContain(`Another Padlink is running on ${app.dataDir}`);
    expect((await createPerson(app).fetch('/readyz')).status).toBe(200);
    expect(await runCli(app.env, 'ledger', 'check')).toMatchObject({ status: 0 });
  });

  test('goes over to the next server as soon as the one before it ends, however it ends', {
    tags: 'long',
  }, async () => {
    const before = await spawnApp();
    onTestFinished(async () => void (await before.stop()));
    const said = await followStart({ ...before.env, LOG_LEVEL: 'warn' }, (yet) => {
      if (yet.includes('waiting up to')) void before.kill();
    });
    expect(said).toMatch(/waiting up to 12 s for the Padlink .*Padlink is ready/s);
  });

  test('of a backup fits: newer files stay, and what was deleted since comes back', {
    tags: 'long',
  }, async () => {
    const draft = await uploadFile(seller, { name: 'draft.txt', bytes: new Uint8Array(9) });
    copyDatabase(sqlite(app), join(aside, 'older'));
    expect(await deleteFile(seller, draft.key)).toMatchObject({ status: 204 });
    await uploadFile(seller, { name: 'newer.txt', bytes: new Uint8Array(7) });
    await age(app);
    const newer = await listBlobs(app.dataDir);
    await app.pause();
    await replaceDatabase(app, join(aside, 'older'));
    await app.restart();
    expect(await download(sold.buyer, sold.key)).toEqual(sold.bytes);
    expect(await download(seller, draft.key)).toEqual(new Uint8Array(9));
    expect(await listBlobs(app.dataDir)).toEqual(expect.arrayContaining(newer));
  });

  test('is not made by a command in the wrong folder', { tags: 'long' }, async () => {
    const DATA_DIR = join(aside, 'nothing');
    const { code, said } = await spawnCli({ ...app.env, DATA_DIR }, 'ledger', 'check');
    expect(code).toBe(1);
    expect(said).toContain(`${join(DATA_DIR, 'padlink.sqlite')} does not exist`);
    await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT');
  });

  describe('that is not the one of its files', () => {
    const whole = join(aside, 'whole');

    beforeAll(async () => {
      await app.pause();
      copyDatabase(sqlite(app), whole);
    });
    afterAll(async () => {
      await replaceDatabase(app, whole);
      await app.restart();
      expect(await download(sold.buyer, sold.key)).toEqual(sold.bytes);
    });

    async function refuse(): Promise<string> {
      const before = await listBlobs(app.dataDir);
      const said = await refusal(app.env);
      expect(await listBlobs(app.dataDir)).toEqual(before);
      return said;
    }

    test.each(['empty', 'missing'])('but %s refuses the start', async (state) => {
      await replaceDatabase(app, whole);
      await (state === 'empty' ? truncate : rm)(sqlite(app));
      const said = await refuse();
      expect(said).toContain(`${sqlite(app)} is ${state}`);
      expect(said).toContain('docs/backup.md');
    });

    test('but of another installation is refused although it is whole', async () => {
      await replaceDatabase(app, whole);
      await withDatabase(app, (db) =>
        db.updateTable('installation').set({ value: 'another' }).where('name', '=', 'id').execute(),
      );
      expect(await refuse()).toContain('belong to different installations');
    });

    test.each([
      ['a page', 3],
      ['the head', 0],
    ])('but damaged in %s is refused by its name', async (_what, page) => {
      await replaceDatabase(app, whole);
      const handle = await open(sqlite(app), 'r+');
      await handle.write(Buffer.alloc(4_096, 0xa5), 0, 4_096, page * 4_096);
      await handle.close();
      const said = await refuse();
      expect(said).toContain(`${sqlite(app)} is damaged`);
      expect(said).toContain('docs/backup.md');
    });
  });
});

describe('what the server writes', () => {
  test('is for its own user alone', async () => {
    const app = await spawnApp();
    onTestFinished(async () => void (await app.stop()));
    const seller = await signUp(app);
    await uploadFile(seller, { name: 'notes.txt', bytes: new Uint8Array(100) });
    const open = readdirSync(app.dataDir, { recursive: true, withFileTypes: true })
      .filter(({ name, parentPath }) => statSync(join(parentPath, name)).mode & 0o077)
      .map(({ name }) => name);
    expect(open).toEqual([]);
  });

  test('is closed to others where they could read what an earlier version left', async () => {
    const app = await startApp();
    onTestFinished(() => app.stop());
    const names = ['.', 'padlink.sqlite', 'app-secret', 'sandbox.sqlite', 'blobs'];
    const modes = () => names.map((name) => statSync(file(app, name)).mode & 0o077);
    const open = () => {
      for (const name of names) chmodSync(file(app, name), 0o755);
    };
    await app.pause();
    open();
    await app.restart();
    expect(modes()).toEqual([0, 0, 0, 0, 0]);

    // A folder of the operator's with other things in it is not Padlink's to close.
    const folders = ['padlink-app', 'sandbox', `app-secret.${randomUUID()}`];
    for (const name of folders) await mkdir(file(app, name));
    const files = ['padlink.sqlite.txt', 'photo.jpg'];
    for (const name of files) await writeFile(file(app, name), '');
    names.push(...folders, ...files);
    open();
    await app.restart();
    expect(modes()).toEqual([0o055, 0, 0, 0, 0, ...Array(5).fill(0o055)]);
  });

  test('leaves the files to a group where a proxy sends them, and nothing else', async () => {
    const app = await startApp({ env: { DOWNLOAD_ACCEL: '/protected/' } });
    onTestFinished(() => app.stop());
    await app.pause();
    for (const name of ['.', 'padlink.sqlite', 'blobs']) chmodSync(file(app, name), 0o755);
    await app.restart();
    const modes = ['.', 'padlink.sqlite', 'blobs'].map((name) => statSync(file(app, name)).mode);
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o750, 0o700, 0o750]);
    const before = process.umask(0o027);
    const seller = await signUp(app);
    await uploadFile(seller, { name: 'notes.txt', bytes: new Uint8Array(100) });
    process.umask(before);
    const [blob] = await listBlobs(app.dataDir);
    expect(statSync(file(app, `blobs/${blob}`)).mode & 0o777).toBe(0o640);
  });
});

describe('the generated secret', () => {
  let app: App;
  const secret = () => file(app, 'app-secret');

  beforeAll(async () => {
    app = await startApp();
    await app.pause();
    await rm(app.dataDir, { recursive: true });
  });
  afterAll(() => app?.stop());

  test('is made whole or not at all, and an empty one of an earlier version is replaced', async () => {
    const main = join(import.meta.dirname, '../..', 'server', 'main.mjs');
    // As on a full disk: no file may take a byte.
    const script = 'trap "" XFSZ; ulimit -f 0; exec "$0" "$1"';
    const full = spawnSync('sh', ['-c', script, process.execPath, main], {
      env: { PATH: process.env.PATH, ...app.env },
    });
    expect(full.status).toBe(1);
    await expect(stat(secret())).rejects.toThrow('ENOENT');
    await writeFile(secret(), '', { mode: 0o600 });
    await app.restart();
    expect(await readFile(secret(), 'utf8')).toHaveLength(43);
    expect((await stat(secret())).mode & 0o777).toBe(0o600);
  });

  test('that was used is never made anew, unless the operator says so', async () => {
    await app.pause();
    for (const [state, lose] of [
      ['damaged', truncate],
      ['missing', rm],
    ] as const) {
      await lose(secret());
      const said = await refusal(app.env);
      expect(said).toContain(`app-secret is ${state}, and this installation has used it`);
      expect(said).toContain('npm run cli -- secret accept');
      await writeFile(secret(), '');
    }
    expect(await runCli(app.env, 'secret', 'accept')).toMatchObject({ status: 0 });
    await app.restart();
  });
});
