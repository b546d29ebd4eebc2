import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inodeOf, noteSyncs } from '../../server/adapters/storage/note-syncs.test.support.ts';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import {
  readMail,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { listBlobs, storedKeys } from '../factories/stored-files.ts';
import { createAim } from '../harness/aim.ts';
import { eventually } from '../harness/eventually.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli, spawnCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { createBucket, s3Settings } from '../harness/s3.ts';
import type { App } from '../harness/start-app.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';
import { useApp } from '../harness/use-app.ts';

type Env = Record<string, string>;
type Entry = { table?: string; blob?: string; own?: string; rows: number; sha256: string };

const objectPath = (folder: string, { sha256 }: Pick<Entry, 'sha256'>) =>
  join(folder, 'objects', sha256.slice(0, 2), sha256);

function readEntries(folder: string): Entry[] {
  const lines = readFileSync(join(folder, 'manifest.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.slice(1, -1).map((line) => JSON.parse(line));
}

/** What a backup holds, whatever order the rows were read in. */
function readContent(folder: string) {
  const entries = readEntries(folder);
  const tables = entries.filter(({ table }) => table);
  return {
    tables: tables.map((entry) => {
      const lines = gunzipSync(readFileSync(objectPath(folder, entry)))
        .toString()
        .split('\n');
      return [entry.table, lines.sort()];
    }),
    files: entries.filter(({ blob }) => blob),
  };
}

/** What a command says on standard error as long as nothing is wrong, on a slow machine. */
const PROGRESS_ALONE = expect.stringMatching(/^(So far: [^\n]+\n)*$/);

const backUp = async (env: Env, folder: string) => {
  const { status, stdout, stderr } = await runCli(env, 'backup', folder, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: PROGRESS_ALONE });
  return JSON.parse(stdout);
};

/** Settings for an installation that was never started, opened by people at the same address. */
async function createPlace(app: App, options: Parameters<typeof createTestEnvironment>[0]) {
  const { env, dataDir, remove } = await createTestEnvironment({ ...options, empty: true });
  onTestFinished(remove);
  const { PORT, PUBLIC_URL } = app.env;
  return { dataDir, env: { ...env, PORT, PUBLIC_URL } as Env };
}

const listObjects = (folder: string) =>
  readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.length > 3)
    .map((name) => join(folder, 'objects', name))
    .sort();

const isFirst = (path: string, index: number, all: string[]) => all.indexOf(path) === index;

const secretOf = ({ dataDir }: { dataDir: string }) =>
  readFileSync(join(dataDir, 'app-secret'), 'utf8');

/** Runs the product on settings that no other process uses. */
async function runAt(env: Env, work: () => Promise<void>): Promise<void> {
  const passwordCost = { memory: 64, passes: 1, parallelism: 1 };
  const product = createApp(readConfig(env), { passwordCost });
  try {
    await product.start();
    await work();
  } finally {
    await product.stop();
  }
}

describe('a backup', () => {
  const folder = join(createDataFolder(), 'backup');
  const app = useApp();
  let seller: Person;
  let sold: Awaited<ReturnType<typeof sellFile>>;
  let buyer: Person;
  let personal: string;

  const buy = async (id: string) => {
    const person = createPerson(app);
    await payFor(person, id);
    await waitUntilUnlocked(person, id);
    return person;
  };

  beforeAll(async () => {
    seller = await signUp(app);
    sold = await sellFile(seller);
    await updateLink(seller, { id: sold.id, title: 'Notes on keys' });
    buyer = await buy(sold.id);
    const { text } = await readMail(app, BUYER_EMAIL);
    personal = /https?:\/\/\S+\/access\/\S+/.exec(text)?.[0] ?? '';
  });

  /** What was sold before is delivered, found and sold again, and the books are in order. */
  async function expectAllThere(env: Env, keys: string[]): Promise<void> {
    await runAt(env, async () => {
      expect(await storedKeys(seller)).toEqual(keys);
      for (const key of keys) {
        const { status, headers } = await fetch(await storageUrl(seller, key));
        expect([key, status, headers.get('content-length')]).toEqual([
          key,
          200,
          key === sold.key ? '1000' : '50000',
        ]);
      }
      const download = await fetch(await storageUrl(buyer, sold.key ?? ''));
      expect(await download.bytes()).toEqual(sold.bytes);
      expect((await createPerson(app).fetch(personal)).status).toBe(200);
      const found = await (await fetch(`${app.origin}/explore?q=keys`)).text();
      expect(found.includes(`/p/${sold.id}`)).toBe(true);
      await buy(sold.id);
    });
    expect(await runCli(env, 'ledger', 'check')).toMatchObject({ status: 0 });
  }

  test('made during sales and uploads goes to the other database and the other store, and back', async () => {
    let isOver = false;
    let rounds = 0;
    const use = async () => {
      // One address may not begin more checkouts and uploads in a minute than some dozens.
      for (; !isOver && rounds < 8; rounds += 1) {
        const upload = { name: `${rounds}.bin`, bytes: new Uint8Array(50_000) };
        await Promise.all([uploadFile(seller, upload), buy(sold.id)]);
      }
    };
    const busy = use();
    await eventually(() => expect(rounds).toBeGreaterThan(2));
    const { code, said } = await spawnCli(app.env, 'backup', folder);
    isOver = true;
    await busy;
    expect({ code, said }).toMatchObject({
      code: 0,
      said: expect.stringMatching(/The secret .* is included/),
    });

    // All of these uploads are the same bytes.
    const again = await backUp(app.env, folder);
    expect(again).toMatchObject({ ok: true, copied: 0, files: (await storedKeys(seller)).length });
    const keys = await storedKeys(seller);
    await app.pause();
    await backUp(app.env, folder);

    const bucket = await createBucket();
    const server = await createPlace(app, {
      database: 'postgres',
      env: {
        APP_SECRET: secretOf(app),
        ...(bucket && { ...s3Settings(bucket), S3_DELIVERY: 'proxy' }),
      },
    });
    const restored = await runCli(server.env, 'restore', folder);
    expect(restored).toMatchObject({
      status: 0,
      stderr: PROGRESS_ALONE,
      stdout: expect.stringContaining('Every checksum is right, and the ledger is in order.'),
    });
    const fromServer = `${folder}-of-server`;
    expect(await backUp(server.env, fromServer)).toMatchObject({ secret: 'elsewhere' });

    const disk = await createPlace(app, { env: { APP_SECRET: secretOf(app) } });
    const { status, stdout } = await runCli(disk.env, 'restore', fromServer, '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { ok: true, faults: [] }]);
    const andBack = `${folder}-and-back`;
    await backUp(disk.env, andBack);
    expect(readContent(andBack)).toEqual(readContent(folder));

    await expectAllThere(server.env, keys);
    await expectAllThere(disk.env, keys);
    await app.restart();
  });

  test('that is killed leaves the one before it whole, and is refused until it is repeated', async () => {
    await uploadFile(seller, { name: 'large.bin', bytes: new Uint8Array(randomBytes(20_000_000)) });
    await backUp(app.env, folder);
    const before = readContent(folder);
    await uploadFile(seller, { name: 'new.bin', bytes: new Uint8Array(randomBytes(20_000_000)) });
    const elsewhere = join(createDataFolder(), 'elsewhere');
    for (const path of [folder, elsewhere]) await killInBackup(path);
    expect(readContent(folder)).toEqual(before);

    const place = await createPlace(app, {});
    const refused = await runCli(place.env, 'restore', elsewhere);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/ is unfinished: /) });
    await backUp(app.env, elsewhere);
    expect(await runCli(place.env, 'restore', elsewhere)).toMatchObject({ status: 0 });
    expect(secretOf(place)).toBe(secretOf(app));
    expect(statSync(join(place.dataDir, 'app-secret')).mode & 0o777).toBe(0o600);

    // Nothing is left of what was interrupted, and what is beside it is shared.
    await backUp(app.env, folder);
    const beside = await backUp(app.env, `${folder}-beside`);
    expect(beside).toMatchObject({ copied: 0 });
    const kept = listObjects(folder);
    expect(kept).toEqual(
      readEntries(folder)
        .map((entry) => objectPath(folder, entry))
        .filter(isFirst)
        .sort(),
    );
  });

  /** While it writes a file that has no name yet. */
  async function killInBackup(path: string): Promise<void> {
    const aim = createAim();
    aim.take({ call: 'sync file', nth: 1, moment: 'before' });
    const child = spawn(process.execPath, ['server/cli/main.ts', 'backup', path], {
      env: { PATH: process.env.PATH, ...app.env, ...aim.env },
      stdio: 'ignore',
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(readdirSync(join(path, 'objects', 'drafts'))).not.toEqual([]);
  }

  test('is on the disk, file by file and folder by folder, and closed to others', async () => {
    if (process.platform === 'win32') return skipWithout('posix');
    const path = join(createDataFolder(), 'synced');
    const synced = new Set<number>();
    const stop = await noteSyncs((inode) => synced.add(inode));
    await backUp(app.env, path);
    stop();
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const written = names.filter((name) => !name.startsWith('backup.'));
    expect(written.filter((name) => !synced.has(inodeOf(join(path, name))))).toEqual([]);
    expect(synced.has(inodeOf(path))).toBe(true);
    for (const name of names) expect(statSync(join(path, name)).mode & 0o077).toBe(0);
  });

  test('is restored beside nothing, unless something of it is damaged', async () => {
    const whole = join(createDataFolder(), 'whole');
    const { files } = await backUp(app.env, whole);
    expect(files).toBeGreaterThan(0);
    const refusal = async (env: Env, path: string) => {
      const { status, stderr } = await runCli(env, 'restore', path);
      expect(status).toBe(1);
      return stderr;
    };
    expect(await refusal(app.env, createDataFolder())).toMatch(/^There is no backup in /);

    const entries = readEntries(whole);
    const blob = entries.find((entry) => entry.blob) as Entry;
    const table = entries.find((entry) => entry.table === 'purchase') as Entry;
    const place = await createPlace(app, {});
    for (const [index, entry] of [table, blob].entries()) {
      const path = objectPath(whole, entry);
      const bytes = readFileSync(path);
      writeFileSync(
        path,
        Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) ?? 0) ^ 1)]),
      );
      expect(await refusal(place.env, whole), `damage ${index}`).toBe(
        `${path} is damaged. Take another backup.\n`,
      );
      writeFileSync(path, bytes);
    }
    const manifest = join(whole, 'manifest.ndjson');
    const lines = readFileSync(manifest, 'utf8');
    for (const damaged of [lines.replace('"rows":', '"rows":1'), lines.slice(0, -200), '']) {
      writeFileSync(manifest, damaged);
      expect(await refusal(place.env, whole)).toMatch(
        /manifest.* is damaged: its checksum is wrong/,
      );
    }
    writeFileSync(manifest, lines);

    const other = { ...place.env, APP_SECRET: 'another-secret-'.repeat(4) };
    expect(await refusal(other, whole)).toMatch(
      /^APP_SECRET is not the secret of this backup\. Set APP_SECRET_FILE=\S+ instead/,
    );
    // What was refused or interrupted is no obstacle.
    expect(await runCli(place.env, 'restore', whole)).toMatchObject({ status: 0 });
    expect(await refusal(place.env, whole)).toMatch(/^The database is not empty/);
    rmSync(join(place.dataDir, 'padlink.sqlite'));
    expect(await refusal(place.env, whole)).toMatch(/blobs is not empty/);
    rmSync(join(place.dataDir, 'blobs'), { recursive: true });
    writeFileSync(join(place.dataDir, 'app-secret'), 'x'.repeat(40));
    expect(await refusal(place.env, whole)).toMatch(/there is another app-secret in it/);
  });

  test('says which files are missing or damaged, and refuses a folder of other things', async () => {
    const place = await createPlace(app, {});
    const path = join(createDataFolder(), 'faulty');
    await backUp(app.env, path);
    expect(await runCli(place.env, 'restore', path)).toMatchObject({ status: 0 });
    const [first = '', second = ''] = await listBlobs(place.dataDir);
    rmSync(join(place.dataDir, 'blobs', first));
    writeFileSync(join(place.dataDir, 'blobs', second), 'x');
    const faulty = join(createDataFolder(), 'faulty');
    const { status, stderr } = await runCli(place.env, 'backup', faulty);
    expect(status).toBe(1);
    expect(stderr).toMatch(/“public\/.+” is missing in /);
    expect(stderr).toMatch(/“public\/.+” is not as it was uploaded/);
    const another = await createPlace(app, {});
    expect(await runCli(another.env, 'restore', faulty)).toMatchObject({ status: 1, stderr });

    expect((await runCli(app.env, 'backup', place.dataDir)).stderr).toMatch(
      /contains other things/,
    );
    expect((await runCli(app.env, 'backup')).status).toBe(2);
    expect((await runCli(app.env, 'restore', path, '--force')).status).toBe(2);
  });
});
