import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../server/ground/database/tables.ts';
import { migrateAll } from '../../server/running/migrate-all.ts';
import { moveSite } from '../../server/running/move/move-site.ts';
import {
  askGraphql,
  readMail,
  seeLink,
  sellFile,
  signIn,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { createDatabase } from '../harness/postgres.ts';
import { refusalOfStart, runCli, spawnCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { createBucket, s3Settings } from '../harness/s3.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const REFUSED = {
  retryAfter: '60',
  status: 503,
  code: 'UNAVAILABLE',
  detail:
    'This site is being moved to another server, so nothing can be saved for a few minutes. Nothing was changed, and nothing was charged. Please try again later.',
};
const READ_ONLY = 'From now on the site can only be read.';

describe('a site that is moved', () => {
  const app = useApp();
  const folder = createDataFolder();
  let seller: Person;
  let email: string;
  let buyer: Person;
  let sold: Awaited<ReturnType<typeof sellFile>>;
  let personal: string;
  /** Whoever has the receipt on another device. */
  let reader: Person;

  beforeAll(async () => {
    email = 'ada@example.com';
    seller = await signUp(app, { email });
    sold = await sellFile(seller);
    [buyer, reader] = [createPerson(app), createPerson(app)];
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    const { text } = await readMail(app, BUYER_EMAIL);
    personal = /https?:\/\/\S+\/access\/\S+/.exec(text)?.[0] ?? '';
  });

  function writeSettings(settings: Record<string, string>): string {
    const path = join(folder, 'new.env');
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(path, lines.join(''), { mode: 0o600 });
    return path;
  }

  async function newDatabase(): Promise<string> {
    const database = await createDatabase();
    onTestFinished(database.drop);
    return database.url;
  }

  async function expectReads(): Promise<void> {
    for (const path of ['/', '/explore', `/p/${sold.id}`]) {
      expect((await buyer.fetch(path)).status).toBe(200);
    }
    expect(await seeLink(buyer, sold.id)).toMatchObject({ unlocked: true });
    expect(await seeLink(seller, sold.id)).toMatchObject({ key: sold.key });
    const download = await fetch(await storageUrl(buyer, sold.key ?? ''));
    expect(await download.bytes()).toEqual(sold.bytes);
    expect((await createPerson(app).fetch(personal)).status).toBe(200);
    expect((await fetch(`${app.origin}/readyz`)).status).toBe(200);
  }

  const answerOf = async (response: Response) => {
    const { status, code, detail } = (await response.json()) as typeof REFUSED;
    return { retryAfter: response.headers.get('retry-after'), status, code, detail };
  };

  /** Whatever would be lost with the old place. */
  async function expectRefusals(): Promise<void> {
    const visitor = createPerson(app);
    const checkout = await postJson(visitor, '/prod/checkout', { paywallId: sold.id });
    expect(await answerOf(checkout)).toEqual(REFUSED);
    const asked = { email, password: 'Correct-horse-7' };
    expect(await answerOf(await postJson(visitor, '/api/auth/sign-in/email', asked))).toEqual(
      REFUSED,
    );
    const { errors } = await askGraphql(
      seller,
      'mutation { createPaywallLink(input: { type: "link", url: "https://example.com/", unlocked: false, price: 500 }) { id } }',
    );
    expect(errors).toMatchObject([{ message: REFUSED.detail, extensions: { code: REFUSED.code } }]);
    const opened = await reader.fetch(personal, { method: 'POST' });
    expect([opened.status, await opened.text()]).toEqual([
      503,
      expect.stringContaining(REFUSED.detail),
    ]);
  }

  /** Sells as ever, with everything that was sold before. */
  async function expectAllThere(): Promise<void> {
    await expectReads();
    await signIn(createPerson(app), email);
    const opened = await reader.fetch(personal, { method: 'POST' });
    expect(opened.headers.get('location')).toBe(`/p/${sold.id}`);
    const another = createPerson(app);
    await payFor(another, sold.id);
    await waitUntilUnlocked(another, sold.id);
    expect((await runCli(app.env, 'ledger', 'check')).stdout).toBe('The ledger is in order.\n');
  }

  test('is read meanwhile, loses no payment, and goes to a server and a bucket and back', async () => {
    const bucket = await createBucket();
    const settings = {
      DATABASE_URL: await newDatabase(),
      ...(bucket && { ...s3Settings(bucket), S3_DELIVERY: 'proxy' }),
    };
    const file = writeSettings(settings);
    const paying = createPerson(app);
    const hosted = await checkOut(paying, sold.id);
    const old = { ...app.env };

    let isOver = false;
    const reading = (async () => {
      while (!isOver) await expectReads();
    })();
    const { code, said } = await spawnCli(app.env, 'move', file);
    isOver = true;
    await reading;
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining(READ_ONLY) });
    expect(said).toMatch(/rows of \d+ tables and \d files, each compared with what was here\./);
    const secret = `APP_SECRET_FILE=${join(app.dataDir, 'app-secret')}`;
    for (const line of [...Object.keys(settings), secret]) expect(said).toContain(`\n  ${line}\n`);
    for (const value of Object.values(settings)) {
      if (/secret|postgres:/.test(value)) expect(said).not.toContain(value);
    }

    await expectReads();
    await expectRefusals();
    // The provider takes the money, and tells of it until somebody listens.
    expect((await payAt(paying, hosted)).status).toBe(303);
    expect(await seeLink(paying, sold.id)).toMatchObject({ unlocked: false });
    expect((await runCli(app.env, 'move', file)).stdout).toContain('Now stop Padlink');
    expect((await runCli(app.env, 'move', '--undo')).stderr).toMatch(
      / was finished at .*--go-back/,
    );
    const elsewhere = writeSettings({ DATABASE_URL: await newDatabase() });
    expect((await runCli(app.env, 'move', elsewhere)).stderr).toMatch(/^This site was moved to /);
    await app.pause();
    expect(await refusalOfStart(old)).toMatch(
      /This site was moved to the database \w+ at \S+.*npm run cli -- move --go-back/,
    );

    Object.assign(app.env, settings, { APP_SECRET_FILE: join(app.dataDir, 'app-secret') });
    await app.restart();
    await waitUntilUnlocked(paying, sold.id);
    await expectAllThere();

    // A PostgreSQL is closed like a file.
    const newer = {
      DATABASE_URL: '',
      ...(bucket && Object.fromEntries(Object.keys(s3Settings(bucket)).map((name) => [name, '']))),
    };
    const back = writeSettings(newer);
    expect((await runCli(app.env, 'move', back)).stderr).toMatch(/The new database is not empty/);
    renameSync(join(app.dataDir, 'padlink.sqlite'), join(app.dataDir, 'old.sqlite'));
    const { status, stdout } = await runCli(app.env, 'move', back, '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { ok: true, damaged: [] }]);
    await expectReads();
    await expectRefusals();
    await app.pause();
    for (const name of Object.keys({ ...settings, APP_SECRET_FILE: '' })) delete app.env[name];
    expect(app.env).toEqual(old);
    await app.restart();
    await expectAllThere();
  });

  test('goes on where it is when the move fails, is killed and undone, or went the wrong way', async () => {
    const url = await newDatabase();
    const file = writeSettings({ DATABASE_URL: url });
    expect((await runCli(app.env, 'move', '--undo')).stderr).toMatch(/^No move was begun/);
    expect((await runCli(app.env, 'move', '--go-back')).stderr).toMatch(/was not moved/);
    expect((await runCli(app.env, 'move')).status).toBe(2);
    const same = writeSettings({ PORT: '1' });
    expect((await runCli(app.env, 'move', same)).stderr).toMatch(/that are used already/);
    const strange = writeSettings({ DATABASE_URL: url, APP_SECRET: 'another-secret-'.repeat(4) });
    expect((await runCli(app.env, 'move', strange)).stderr).toMatch(/^APP_SECRET of the new/);

    writeSettings({ DATABASE_URL: url });
    await killInMove(file);
    await expectReads();
    await expectRefusals();
    expect((await runCli(app.env, 'doctor')).stdout).toContain('npm run cli -- move --undo');
    await app.restart();
    await expectReads();
    await expectRefusals();
    expect(await runCli(app.env, 'move', '--undo')).toMatchObject({ status: 0 });
    await expectAllThere();

    // What does not arrive as it was is not taken for moved.
    const change = (...statements: string[]) =>
      withDatabase(app, async (db) => {
        for (const statement of statements) await sql.raw(statement).execute(db);
      });
    await change('create table stray (id text)');
    expect(await runCli(app.env, 'move', file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no table stray in this version'),
    });
    const micro = '2026-01-01T00:00:00.123456Z';
    await change('drop table stray', `update "user" set "updatedAt" = '${micro}'`);
    expect(await runCli(app.env, 'move', file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The table user did not arrive as it was'),
    });
    await change(`update "user" set "updatedAt" = "createdAt"`);
    await expectAllThere();

    await killInMove(file);
    expect(await runCli(app.env, 'move', file)).toMatchObject({ status: 0 });
    await app.pause();
    expect(await runCli(app.env, 'move', '--go-back')).toMatchObject({ status: 0 });
    await app.restart();
    await expectAllThere();
  });

  test('takes its files along alone, and writes again where they are', async () => {
    const bucket = await createBucket();
    if (!bucket) return skipWithout('s3');
    const settings = { ...s3Settings(bucket), S3_DELIVERY: 'proxy' };
    expect(await runCli(app.env, 'move', writeSettings(settings))).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Moved to the bucket \w+: 0 rows of 0 tables and \d files/),
    });
    await expectReads();
    await expectRefusals();
    await app.pause();
    expect(await refusalOfStart(app.env)).toMatch(/no longer this installation’s, or not yet/);
    Object.assign(app.env, settings);
    await app.restart();
    await expectAllThere();
  });

  test('is closed until the command is run again when the last step of a move fails', async () => {
    const settings = {
      DATABASE_URL: await newDatabase(),
      APP_SECRET_FILE: join(app.dataDir, 'app-secret'),
    };
    const move = (atTheEnd: (there: Database, trx: Database) => Promise<void>) =>
      withDatabase(app, (db) =>
        withDatabase({ env: { ...app.env, ...settings } }, (there) =>
          moveSite(
            {
              db,
              files: null,
              now: Date.now,
              database: {
                to: there,
                migrateAll,
                check: (trx) => atTheEnd(there, trx).then(() => []),
              },
            },
            {
              place: 'elsewhere',
              signal: new AbortController().signal,
              onClosed() {},
              onFile() {},
              onRow() {},
            },
          ),
        ),
      );
    await expect(move(breakConnection)).rejects.toThrow(
      /^It is not known whether .*\nRun the same command again/,
    );
    await expectReads();
    await expectRefusals();
    expect((await move(async () => {})).tables).toBeGreaterThan(50);
    await app.pause();
    Object.assign(app.env, settings);
    await app.restart();
    await expectAllThere();
  });

  /** Ends the connection of a transaction from outside, at its server. */
  async function breakConnection(db: Database, trx: Database): Promise<void> {
    const asked = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_terminate_backend(${asked.rows[0]?.pid})`.execute(db);
  }

  async function killInMove(file: string): Promise<void> {
    const child = spawn(process.execPath, ['server/cli/main.ts', 'move', file], {
      env: { PATH: process.env.PATH, ...app.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes(READ_ONLY)) child.kill('SIGKILL');
    });
    expect([await ended, said]).toEqual([[null, 'SIGKILL'], expect.any(String)]);
    await eventually(async () => expect((await runCli(app.env, 'jobs', 'list')).status).toBe(0));
  }
});
