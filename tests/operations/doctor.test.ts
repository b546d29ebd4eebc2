import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MIGRATIONS } from '../../server/ground/database/migrate.ts';
import { sellFile, signUp } from '../factories/factories.ts';
import { listBlobs } from '../factories/stored-files.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { skipWithout } from '../harness/needs.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

interface Check {
  name: string;
  state: 'ok' | 'warning' | 'fault';
  says: string;
  remedy: string | null;
}

async function examine(env: Record<string, string>, ...words: string[]) {
  const { status, stdout, stderr } = await runCli(env, 'doctor', '--json', ...words);
  expect(stderr).toBe('');
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
  const isFaulty = checks.some(({ state }) => state === 'fault');
  expect({ ok, status }).toEqual({ ok: !isFaulty, status: isFaulty ? 1 : 0 });
  return checks;
}

/** The address of a server that lives as long as the test. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeOnSqliteFirst('a doctor', (database) => {
  const app = useApp({ database });

  test('finds a healthy installation in order, while it runs and when it is stopped', {
    tags: 'long',
  }, async () => {
    await sellFile(await signUp(app));
    const running = await examine(app.env);
    expect(running.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(running.map(({ name }) => name)).toEqual([
      ...['settings', 'data folder', 'database', 'schema', 'secret', 'jobs', 'ledger', 'storage'],
      ...['files', 'disk', 'mail', 'payments', 'address', 'webhook', 'uploads', 'live updates'],
    ]);
    await app.pause();
    const stopped = await examine(app.env);
    expect(stopped.filter(({ state }) => state !== 'ok')).toMatchObject([
      { name: 'address', state: 'warning', remedy: expect.stringContaining('Start Padlink') },
    ]);
    await app.restart();
    const { stdout } = await runCli(app.env, 'doctor');
    expect(stdout).toMatch(/^ok {7}settings: The settings fit together\.\n/);
    expect((await runCli(app.env, 'doctor', 'me')).status).toBe(2);
  });
});

describe('a doctor on postgres', () => {
  const app = useApp({ database: 'postgres' });

  test('warns where its system sorts by other rules than those of the indexes', async () => {
    await withDatabase(app, (db) =>
      sql`update pg_database set datcollversion = '0.1' where datname = current_database()`.execute(
        db,
      ),
    );
    const checks = await examine(app.env);
    expect(checks.find(({ name }) => name === 'collation')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('made by (0.1): rows may be missed'),
      remedy: expect.stringMatching(/REINDEX DATABASE "(.+)"' -c 'ALTER DATABASE "\1" REFRESH/),
    });
  });
});

/** How a fault is planted. `env`: settings to examine with; `undo`: takes it away again. */
interface Planted {
  env?: Record<string, string>;
  words?: string[];
  undo?(): unknown;
}
type Fault = [title: string, expected: Partial<Check>, plant: () => Planted | Promise<Planted>];

describe('the doctor', () => {
  const app = useApp();
  const at = (...path: string[]) => join(app.dataDir, ...path);
  const run = (statement: string) => withDatabase(app, (db) => sql.raw(statement).execute(db));
  const s3 = (endpoint: string) => ({
    S3_ENDPOINT: endpoint,
    S3_REGION: 'x',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  const smtp = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'shop@example.com' });
  const aJob =
    'insert into job (id, kind, payload, lane, run_at, attempts, unended, locked_until, created_at';

  beforeAll(async () => {
    await sellFile(await signUp(app));
  });

  const FAULTS: Fault[] = [
    [
      'a setting that says nothing',
      { name: 'settings', says: 'PORT: ' },
      () => ({ env: { PORT: 'many' } }),
    ],
    [
      'settings that belong together',
      { name: 'settings', says: 'S3_ENDPOINT: missing' },
      () => ({ env: { S3_BUCKET: 'files' } }),
    ],
    [
      'a data folder that is not there',
      { name: 'data folder', says: 'ENOENT', remedy: 'Set DATA_DIR' },
      () => ({ env: { DATA_DIR: at('elsewhere') } }),
    ],
    [
      'a data folder that others can read',
      { name: 'data folder', state: 'warning', says: 'Other users', remedy: 'chmod 700' },
      () => {
        chmodSync(app.dataDir, 0o755);
        return { undo: () => chmodSync(app.dataDir, 0o700) };
      },
    ],
    [
      'no database',
      { name: 'database', says: 'does not exist', remedy: 'DATA_DIR or DATABASE_URL' },
      () => ({ env: { DATA_DIR: createDataFolder() } }),
    ],
    [
      'a database that is damaged',
      { name: 'database', says: 'is damaged', remedy: 'Restore the database from a backup' },
      () => {
        const folder = createDataFolder();
        writeFileSync(join(folder, 'padlink.sqlite'), 'x'.repeat(10_000));
        return { env: { DATA_DIR: folder } };
      },
    ],
    [
      'a database server that is down',
      { name: 'database', says: 'nothing listens there', remedy: 'start PostgreSQL' },
      () => ({
        env: {
          DATABASE_URL: 'postgres://padlink:x@127.0.0.1:1/padlink',
          APP_SECRET: 'x'.repeat(40),
        },
      }),
    ],
    [
      'a database of a newer version',
      { name: 'schema', says: '999-later', remedy: 'Start that version' },
      async () => {
        await run("insert into kysely_migration (name, timestamp) values ('999-later', '2026')");
        return { undo: () => run("delete from kysely_migration where name = '999-later'") };
      },
    ],
    [
      'a database of an earlier version',
      { name: 'schema', state: 'warning', says: 'an earlier version', remedy: 'Back it up' },
      async () => {
        const [name] = Object.keys(MIGRATIONS).slice(-1);
        await run(`delete from kysely_migration where name = '${name}'`);
        return {
          undo: () => run(`insert into kysely_migration values ('${name}', '2026')`),
        };
      },
    ],
    [
      'a secret that was changed',
      { name: 'secret', says: 'is not the one', remedy: 'previous value' },
      () => ({ env: { APP_SECRET: 'another-secret-'.repeat(4) } }),
    ],
    [
      'a secret that was lost',
      { name: 'secret', says: 'app-secret is missing', remedy: 'Restore it from a backup' },
      () => {
        renameSync(at('app-secret'), at('app-secret.lost'));
        return { undo: () => renameSync(at('app-secret.lost'), at('app-secret')) };
      },
    ],
    [
      'a job that was given up',
      { name: 'jobs', says: 'given up: 1', remedy: 'jobs retry all' },
      async () => {
        await run(`${aJob}, died_at) values ('dead', 'x', '{}', 'mail', 0, 9, 0, 0, 0, 1)`);
        return { undo: () => run("delete from job where id = 'dead'") };
      },
    ],
    [
      'a job that nobody does',
      {
        name: 'jobs',
        state: 'warning',
        says: 'more than an hour: 1',
        remedy: 'See that Padlink runs',
      },
      async () => {
        await run(`${aJob}) values ('late', 'x', '{}', 'none', 0, 0, 0, 0, 0)`);
        return { undo: () => run("delete from job where id = 'late'") };
      },
    ],
    [
      'books that could be changed',
      { name: 'ledger', says: 'trigger ledger_line_no_update is missing', remedy: 'ledger check' },
      async () => {
        const name = 'ledger_line_no_update';
        const { rows } = await withDatabase(app, (db) =>
          sql<{ sql: string }>`select sql from sqlite_master where name = ${name}`.execute(db),
        );
        await run(`drop trigger ${name}`);
        return { undo: () => run(rows[0]?.sql ?? '') };
      },
    ],
    [
      'files of another installation',
      { name: 'storage', says: 'another installation’s', remedy: 'from the same backup' },
      () => {
        const id = readFileSync(at('blobs/installation'));
        writeFileSync(at('blobs/installation'), 'another');
        return { undo: () => writeFileSync(at('blobs/installation'), id) };
      },
    ],
    [
      'a file that is missing',
      { name: 'files', says: 'is missing', remedy: 'storage verify' },
      async () => {
        const [blob = ''] = await listBlobs(app.dataDir);
        renameSync(at('blobs', blob), at('lost'));
        return { undo: () => renameSync(at('lost'), at('blobs', blob)) };
      },
    ],
    [
      'a disk without room',
      { name: 'disk', says: 'no room', remedy: 'Free some space' },
      () => ({ env: { MIN_FREE_DISK_BYTES: '9000000000000000' } }),
    ],
    [
      'storage that refuses',
      { name: 'storage', says: '403', remedy: 'Correct the S3_ settings' },
      async () => ({ env: s3(await serve((_request, response) => response.writeHead(403).end())) }),
    ],
    [
      'a clock that is wrong',
      { name: 'clock', says: 'ahead of', remedy: 'timedatectl' },
      async () => {
        const date = new Date(Date.now() - 3_600_000).toUTCString();
        return {
          env: s3(await serve((_request, response) => response.writeHead(403, { date }).end())),
        };
      },
    ],
    [
      'a mail server that is down',
      { name: 'mail', says: 'ECONNREFUSED', remedy: 'Correct SMTP_URL' },
      () => ({ env: smtp('smtp://127.0.0.1:1') }),
    ],
    [
      'a mail server that refuses the message',
      { name: 'mail', says: 'no such user', remedy: 'MAIL_FROM' },
      async () => {
        const server = await startMailServer({ knows: () => false });
        return { env: smtp(server.url), words: ['--mail', 'me@example.com'], undo: server.stop };
      },
    ],
    [
      'a message without a mail server',
      { name: 'mail', says: 'No email leaves', remedy: 'Set SMTP_URL' },
      () => ({ words: ['--mail', 'me@example.com'] }),
    ],
    [
      'a scanner that is down',
      { name: 'scanner', says: 'does not answer', remedy: 'Start clamd' },
      () => ({ env: { CLAMD_SOCKET: at('clamd.ctl') } }),
    ],
    [
      'a user pool that is not there',
      { name: 'user pool', says: 'no user pool', remedy: 'Correct OIDC_ISSUER' },
      async () => ({
        env: {
          OIDC_ISSUER: await serve((_request, response) => response.writeHead(404).end()),
          OIDC_CLIENT_ID: 'padlink',
          OIDC_CLIENT_SECRET: 'secret',
        },
      }),
    ],
    [
      'an address where nobody answers',
      { name: 'address', state: 'warning', says: 'Nothing answers', remedy: 'Start Padlink' },
      () => ({ env: { PUBLIC_URL: 'http://127.0.0.1:1' } }),
    ],
    [
      'an address of something else',
      { name: 'address', says: 'something else', remedy: 'Correct PUBLIC_URL' },
      async () => ({
        env: { PUBLIC_URL: await serve((_request, response) => response.end('Hello')) },
      }),
    ],
    [
      'events signed with another secret',
      {
        name: 'webhook',
        says: '400 The signature is invalid',
        remedy: 'same STRIPE_WEBHOOK_SECRET',
      },
      () => ({ env: { PAYMENTS: 'sandbox', STRIPE_WEBHOOK_SECRET: 'whsec_another' } }),
    ],
    [
      'a certificate that nobody trusts',
      { name: 'certificate', says: 'is not trusted', remedy: 'Renew it' },
      serveTls,
    ],
    [
      'a certificate that ran out',
      { name: 'certificate', says: 'ran out', remedy: 'Renew it' },
      async () => {
        const planted = await serveTls();
        const later = Date.now() + 40 * 24 * 60 * 60 * 1000;
        const clock = vi.spyOn(Date, 'now').mockReturnValue(later);
        return { ...planted, undo: () => clock.mockRestore() };
      },
    ],
  ];

  /** Takes in whole requests, and hands them on as plain ones. */
  function startProxy(): Promise<string> {
    return serve(async (request, response) => {
      const { method = 'GET', url, headers } = request;
      const type = headers['content-type'] ?? '';
      const signature = String(headers['stripe-signature'] ?? '');
      const body = await buffer(request).catch(() => null);
      if (!body) return;
      const answer = await fetch(`${app.origin}${url}`, {
        method,
        headers: { 'content-type': type, 'stripe-signature': signature },
        ...(method !== 'GET' && { body }),
      });
      response.writeHead(answer.status).end(await answer.bytes());
    });
  }

  /** With a certificate of its own, for 30 days. */
  async function serveTls(): Promise<Planted> {
    if (!existsSync('/usr/bin/openssl')) return skipWithout('openssl');
    const [key, cert] = [at('key.pem'), at('cert.pem')];
    const made =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost';
    execFileSync('/usr/bin/openssl', [...made.split(' '), '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    const files = { key: readFileSync(key), cert: readFileSync(cert) };
    for (const path of [key, cert]) rmSync(path);
    const server = createTlsServer(files, (_request, response) => response.end()).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return { env: { PUBLIC_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` } };
  }

  test.each(FAULTS)(
    'finds %s and names the remedy',
    { tags: 'long' },
    async (_title, expected, plant) => {
      const { env, words = [], undo } = await plant();
      try {
        const checks = await examine({ ...app.env, ...env }, ...words);
        const { name, state = 'fault', says = '', remedy = 'docs/settings.md' } = expected;
        const found = checks.find((check) => check.name === name && check.state !== 'ok');
        expect(found).toEqual({
          name,
          state,
          says: expect.stringContaining(says),
          remedy: expect.stringContaining(remedy ?? ''),
        });
      } finally {
        await undo?.();
      }
    },
  );

  test('finds what a proxy keeps back', { tags: 'long' }, async () => {
    const checks = await examine({ ...app.env, PUBLIC_URL: await startProxy() });
    expect(checks.filter(({ state }) => state !== 'ok')).toMatchObject([
      { name: 'uploads', remedy: expect.stringContaining('proxy_request_buffering off') },
      { name: 'live updates', remedy: expect.stringContaining('Upgrade') },
    ]);
  });

  test('has nothing left to find, and mails where it is asked to', async () => {
    const server = await startMailServer();
    const checks = await examine({ ...app.env, ...smtp(server.url) }, '--mail', 'me@example.com');
    await server.stop();
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(server.mailsTo('me@example.com')).toHaveLength(1);
  });
});
