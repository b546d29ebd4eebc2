import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp, storageUrl, uploadFile, waitUntilUnlocked } from './factories.ts';
import { eventually } from './harness/eventually.ts';
import { payFor } from './payment.ts';
import { createPerson, type Person } from './person.ts';
import { runCli } from './run-command.ts';
import { type SpawnedApp, spawnApp } from './spawn-app.ts';
import { storedKeys } from './stored-files.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '..', 'docs', 'backup.md'), 'utf8');

/** What `sqlite3 FILE STATEMENT` does, on a machine that may have no such command. */
const SQLITE3 = `#!${process.execPath}
const { DatabaseSync } = require('node:sqlite');
const [file, statement] = process.argv.slice(2);
new DatabaseSync(file, { timeout: 5000 }).exec(statement);
`;

/** The commands of the guide that begin with these words. */
function commandsWith(words: string): string {
  const blocks = [...GUIDE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(words));
  if (!found) throw new Error(`The guide has no commands with ${words}.`);
  return found;
}

describe('a backup by the commands of the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'padlink-backup-'));
  let app: SpawnedApp;
  let seller: Person;

  beforeAll(async () => {
    writeFileSync(join(folder, 'sqlite3'), SQLITE3);
    chmodSync(join(folder, 'sqlite3'), 0o755);
    app = await spawnApp();
    symlinkSync(app.dataDir, join(folder, 'data'));
    seller = await signUp(app);
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(folder, { recursive: true });
  });

  async function runGuide(words: string): Promise<void> {
    const script = commandsWith(words)
      .replace('npm start', '')
      .replace('2026-01-31-030000', () => readdirSync(join(folder, 'backup'))[0] ?? '')
      .replaceAll('/srv/backup', join(folder, 'backup'));
    const child = spawn('sh', ['-ec', script], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}` },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  }

  async function buy(id: string): Promise<Person> {
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    return buyer;
  }

  test('made during uploads and sales delivers all it knows, and its books are in order', async () => {
    const sold = await sellFile(seller);
    const buyer = await buy(sold.id);
    let isOver = false;
    let uploads = 0;
    const upload = async () => {
      for (; !isOver; uploads += 1) {
        await uploadFile(seller, { name: `${uploads}.bin`, bytes: new Uint8Array(50_000) });
      }
    };
    const sell = async () => {
      while (!isOver) await buy(sold.id);
    };
    const busy = Promise.all([upload(), sell()]);
    await eventually(() => expect(uploads).toBeGreaterThan(0));
    await runGuide('VACUUM INTO');
    isOver = true;
    await busy;

    await app.kill();
    await runGuide('mv data data-before');
    app.env.DATA_DIR = join(folder, 'data');
    await app.start();
    const keys = await storedKeys(seller);
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) {
      const answer = await fetch(await storageUrl(seller, key));
      expect((await answer.bytes()).length).toBe(key === sold.key ? sold.bytes.length : 50_000);
    }
    const download = await fetch(await storageUrl(buyer, sold.key ?? ''));
    expect(await download.bytes()).toEqual(sold.bytes);
    expect(await runCli(app.env, 'ledger', 'check')).toMatchObject({ status: 0 });
  }, 180_000);
});
