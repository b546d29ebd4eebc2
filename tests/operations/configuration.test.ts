import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../server/ground/config/read-config.ts';
import { findFreePort } from '../harness/free-port.ts';
import { skipWithout } from '../harness/needs.ts';
import { POSTGRES_VARIABLE } from '../harness/postgres.ts';
import { refusalOfStart } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';

/** Starts the product with a configuration that it must refuse. Returns what it says. */
async function refusalOfStartWith(env: Record<string, string>): Promise<string> {
  const DATA_DIR = createDataFolder();
  try {
    return await refusalOfStart({ DATA_DIR, PORT: '1', ...env });
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

/** The faults that the product finds in a configuration, one a line. */
function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [lead, ...faults] = error.message.split('\n- ');
    expect(lead).toBe('Padlink cannot start with this configuration:');
    return faults;
  }
}

test.each([
  ['smtp://mail.example.com:587', true],
  ['smtps://mail.example.com', true],
  ['smtp://127.0.0.2:25', true],
  ['smtp://localhost.example.com', true],
  ['smtp://localhost:2525', false],
  ['smtp://[::1]:2525', false],
  ['smtp://mail.example.com?requireTLS=false', false],
  ['smtp://mail.example.com?ignoreTLS=true', false],
])('the mail server %s is spoken to by TLS alone: %s', (SMTP_URL, requireTls) => {
  const { mail } = readConfig({ SMTP_URL, MAIL_FROM: 'shop@example.com' });
  expect(mail).toMatchObject({ kind: 'smtp', requireTls });
});

test('a service key is never taken for a publishable one', () => {
  const fault = expect.stringMatching(/^SERVICE_KEY: .*not begin with pk_/);
  expect(faultsOf({ SERVICE_KEY: 'pk_'.padEnd(40, 'x') })).toEqual([fault]);
  expect(faultsOf({ SERVICE_KEY: 'of_pk_'.padEnd(40, 'x') })).toEqual([]);
});

test('replies to emails go to the address that is set', () => {
  const smtp = { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'shop@example.com' };
  expect(readConfig(smtp).mail).toMatchObject({ replyTo: null });
  const MAIL_REPLY_TO = 'help@example.com';
  expect(readConfig({ ...smtp, MAIL_REPLY_TO }).mail).toMatchObject({ replyTo: MAIL_REPLY_TO });
});

test('a quota and the room that files leave on the disk are as they are set', () => {
  const { accountQuotaBytes, minFreeDiskBytes } = readConfig({
    ACCOUNT_QUOTA_BYTES: '1000',
    MIN_FREE_DISK_BYTES: '0',
  });
  expect([accountQuotaBytes, minFreeDiskBytes]).toEqual([1000, 0]);
  expect(readConfig({})).toMatchObject({
    accountQuotaBytes: 100 * 1024 ** 3,
    minFreeDiskBytes: null,
  });
});

test('payouts go through the provider in the sandbox and by hand with a key, unless it is set otherwise', () => {
  const key = { STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_WEBHOOK_SECRET: 'whsec_a' };
  expect(readConfig({}).payouts).toEqual({
    kind: 'connect',
    minimumCents: 2_500,
    costCents: 25,
    holdDays: 7,
  });
  expect(readConfig(key).payouts.kind).toBe('manual');
  const set = { PAYOUT_MIN_CENTS: '1000', PAYOUT_COST_CENTS: '0', HOLD_DAYS: '0' };
  const secrets = {
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_b',
    STRIPE_THIN_WEBHOOK_SECRET: 'whsec_c',
  };
  expect(readConfig({ ...key, PAYOUTS: 'connect', ...secrets, ...set }).payouts).toEqual({
    kind: 'connect',
    minimumCents: 1_000,
    costCents: 0,
    holdDays: 0,
  });
});

test('the minimum price is a cent, what Stripe charges at least, or what the operator wants', () => {
  const key = { STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_WEBHOOK_SECRET: 'whsec_a' };
  const smallest = (env: object, MIN_PRICE_CENTS?: string) => {
    const config = readConfig({ ...env, ...(MIN_PRICE_CENTS && { MIN_PRICE_CENTS }) });
    return [config.minimumPriceCents, config.providerMinimumCents];
  };
  expect([smallest({}), smallest({}, '1'), smallest({}, '200')]).toEqual([
    [1, 1],
    [1, 1],
    [200, 1],
  ]);
  expect([smallest(key), smallest(key, '20'), smallest(key, '200')]).toEqual([
    [50, 50],
    [50, 50],
    [200, 50],
  ]);
});

test('an operator who alone sells pays no fee, whatever the fee is', () => {
  const alone = { PAYOUTS: 'solo', OPERATOR_EMAILS: 'ada@example.com', PLATFORM_FEE_PERCENT: '9' };
  expect(readConfig(alone)).toMatchObject({
    payouts: { kind: 'solo' },
    fee: { basisPoints: 0, fixedCents: 0 },
  });
});

describe('the start is refused', () => {
  const s3 = {
    S3_ENDPOINT: 'https://a.example',
    S3_REGION: 'a',
    S3_BUCKET: 'abc',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  };
  const smtp = { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'shop@example.com' };

  test('on a public address without mail and payments, naming both', { tags: 'long' }, async () => {
    const said = await refusalOfStartWith({ PUBLIC_URL: 'https://pay.example.com' });
    expect(said).toMatch(/SMTP_URL/);
    expect(said).toMatch(/STRIPE_SECRET_KEY/);
    expect(said).toMatch(/PAYMENTS=sandbox/);
  });

  test('with every fault at once', async () => {
    const said = await refusalOfStartWith({
      PORT: 'x',
      MAX_FILE_BYTES: 'y',
      LOG_LEVEL: 'z',
      APP_SECRET_FILE: '/nowhere',
      OIDC_CLIENT_ID: 'a',
    });
    const named = ['PORT', 'MAX_FILE_BYTES', 'LOG_LEVEL', 'APP_SECRET_FILE', 'OIDC_ISSUER'];
    for (const name of named) expect(said).toContain(`- ${name}: `);
  });

  test.each([
    ['a public address without payments', { PUBLIC_URL: 'https://a.example', ...smtp }, /STRIPE/],
    ['a key without its webhook secret', { STRIPE_SECRET_KEY: 'sk_test_a' }, /WEBHOOK_SECRET/],
    [
      'the sandbox and a real key at once',
      { PAYMENTS: 'sandbox', STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_WEBHOOK_SECRET: 'whsec_a' },
      /contradicts PAYMENTS=sandbox/,
    ],
    ['half of the mail settings', { SMTP_URL: smtp.SMTP_URL }, /MAIL_FROM/],
    ['PostgreSQL without APP_SECRET', { DATABASE_URL: 'postgres://127.0.0.1/a' }, /APP_SECRET/],
    ['a port that is no port', { PORT: 'http' }, /PORT: must be a whole number from 1 to 65535/],
    ['an address that is no origin', { PUBLIC_URL: 'http://localhost/shop' }, /PUBLIC_URL/],
    ['a checkout domain with a path', { CHECKOUT_DOMAIN: 'a.example/pay' }, /CHECKOUT_DOMAIN/],
    ['a checkout domain with a scheme', { CHECKOUT_DOMAIN: 'https://a.example' }, /without https/],
    ['two counters instead of three', { LANDING_COUNTERS: '1,2' }, /LANDING_COUNTERS: .*1000,2500/],
    ['a checkout domain that is a word', { CHECKOUT_DOMAIN: 'pay' }, /pay\.example\.com/],
    ['a refund cost that nobody bears', { REFUND_COST: 'buyer' }, /must be platform or creator$/],
    ['a dispute fee that nobody bears', { DISPUTE_FEE: 'buyer' }, /must be platform or creator$/],
    ['payouts that are none', { PAYOUTS: 'auto' }, /must be solo, manual or connect$/],
    ['one seller whom nobody named', { PAYOUTS: 'solo' }, /OPERATOR_EMAILS: missing; PAYOUTS=solo/],
    ['a hold of half a day', { HOLD_DAYS: '0.5' }, /HOLD_DAYS: .*whole number from 0 to 90/],
    [
      'a payout that is all cost',
      { PAYOUT_MIN_CENTS: '25' },
      /PAYOUT_MIN_CENTS: must be more than PAYOUT_COST_CENTS/,
    ],
    ['a proxy that is no address', { TRUSTED_PROXIES: 'foo' }, /TRUSTED_PROXIES: .*127\.0\.0\.1/],
    ['a range that is none', { TRUSTED_PROXIES: '10.0.0.0/99' }, /TRUSTED_PROXIES: .*10\.0\.0\.0/],
    ['a quota below zero', { QUOTA_LINKS: '-1' }, /QUOTA_LINKS: must be a whole number of links/],
    ['a door of another kind', { SIGN_UP: 'yes' }, /SIGN_UP: must be open, invite or closed/],
    ['an operator without an address', { OPERATOR_EMAILS: 'ada' }, /OPERATOR_EMAILS: .*ada@/],
    [
      'an sslmode that is none',
      { DATABASE_URL: 'postgres://127.0.0.1/a?sslmode=yes', APP_SECRET: 'a'.repeat(32) },
      /DATABASE_URL: .*verify-full/,
    ],
    [
      'a mail server without a host',
      { SMTP_URL: 'smtp://', MAIL_FROM: 'shop@example.com' },
      /SMTP_URL: .*mail\.example\.com/,
    ],
    [
      'a sender without an address',
      { ...smtp, MAIL_FROM: 'Padlink' },
      /MAIL_FROM: .*<pay@example\.com>/,
    ],
    [
      'replies to what is no address',
      { ...smtp, MAIL_REPLY_TO: 'Padlink <help@example.com>' },
      /MAIL_REPLY_TO: .*help@example\.com/,
    ],
    ['a negative file limit', { MAX_FILE_BYTES: '-1' }, /MAX_FILE_BYTES: .*from 1 to/],
    ['a quota of nothing', { ACCOUNT_QUOTA_BYTES: '0' }, /ACCOUNT_QUOTA_BYTES: .*from 1 to/],
    ['a share of the disk', { MIN_FREE_DISK_BYTES: '5%' }, /MIN_FREE_DISK_BYTES: .*of bytes/],
    ['a secret file that is not there', { APP_SECRET_FILE: '/nowhere' }, /cannot read \/nowhere/],
    [
      'payouts through Stripe without the secrets of their endpoints',
      {
        STRIPE_SECRET_KEY: 'sk_test_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_x',
        STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_x',
        PAYOUTS: 'connect',
      },
      /STRIPE_THIN_WEBHOOK_SECRET: missing; PAYOUTS=connect requires it/,
    ],
    [
      'a bucket in its address',
      { ...s3, S3_ENDPOINT: 'https://a.example/b' },
      /without the bucket/,
    ],
    [
      'a bucket over plain http',
      { ...s3, S3_ENDPOINT: 'http://a.example' },
      /S3_ENDPOINT: .*https/,
    ],
    ['a bucket that is none', { ...s3, S3_BUCKET: 'My files' }, /S3_BUCKET: .*padlink-files/],
    ['half of the way to a bucket', { ...s3, S3_REGION: '' }, /S3_REGION: missing; S3_ENDPOINT, /],
    ['nginx for files in a bucket', { ...s3, DOWNLOAD_ACCEL: '/a/' }, /contradicts S3_BUCKET/],
    [
      'a user pool over plain http',
      {
        OIDC_ISSUER: 'http://id.example.com',
        OIDC_CLIENT_ID: 'a',
        OIDC_CLIENT_SECRET: 'b',
      },
      /OIDC_ISSUER: .*https/,
    ],
    ['a user pool as the only way in that is not there', { OIDC_ONLY: 'true' }, /OIDC_ISSUER/],
  ])('for %s, with this one fault', (_title, env, named) => {
    expect(faultsOf(env)).toEqual([expect.stringMatching(named)]);
  });

  test.each([
    ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
    ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ])('for %s alone, naming every setting that goes with it', (given, ...missing) => {
    const faults = faultsOf({ [given]: 'https://id.example.com' });
    expect(faults.map((fault) => fault.split(';')[0])).toEqual(
      missing.map((name) => `${name}: missing`),
    );
  });

  test.each([
    [
      'a user pool as the only way in beside social sign-in',
      { OIDC_ONLY: 'true', GITHUB_CLIENT_ID: 'a' },
      /GITHUB_CLIENT_ID: contradicts OIDC_ONLY=true/,
    ],
    [
      'a user pool without mail for the receipts',
      { PUBLIC_URL: 'https://a.example', OIDC_ONLY: 'true' },
      /SMTP_URL: .*nobody could get a receipt/,
    ],
  ])('for %s, among others', (_title, env, named) => {
    expect(faultsOf(env)).toContainEqual(expect.stringMatching(named));
  });

  test('for what contradicts although another setting cannot be read, but for nothing that may follow from that one', () => {
    const faults = faultsOf({
      PUBLIC_URL: 'https://a.example',
      PAYMENTS: 'sandbocks',
      SMTP_URL: 'mail.example.com',
      MAIL_FROM: 'shop@example.com',
      STRIPE_WEBHOOK_SECRET: 'secret',
      DATABASE_URL: 'postgres://127.0.0.1/a',
      APP_SECRET: 'short',
      GOOGLE_CLIENT_ID: 'a',
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'PAYMENTS',
      'STRIPE_WEBHOOK_SECRET',
      'SMTP_URL',
      'APP_SECRET',
      'GOOGLE_CLIENT_SECRET',
    ]);
  });

  test('without a word of what the settings hold, since they may be secret', () => {
    const held = 'correct-horse';
    const said = faultsOf({
      APP_SECRET: held,
      SERVICE_KEY: held,
      STRIPE_SECRET_KEY: held,
      STRIPE_WEBHOOK_SECRET: held,
      SMTP_URL: held,
      DATABASE_URL: held,
    });
    expect(said).toHaveLength(7);
    expect(said.join()).not.toContain(held);
  });

  test.each(['127.0.0.1,10.0.0.0/8', 'loopback, fd00::/8', '10.0.0.0/255.0.0.0'])(
    'not for proxies such as %s',
    (TRUSTED_PROXIES) => expect(faultsOf({ TRUSTED_PROXIES })).toEqual([]),
  );

  describe('naming the setting when', () => {
    const held = 'correct-horse';
    const APP_SECRET = 'a'.repeat(32);
    const server = new URL(process.env[POSTGRES_VARIABLE] ?? '');

    test.each([
      ['nothing listens at DATABASE_URL', { host: '127.0.0.1:1' }, /nothing listens there/],
      ['the host of DATABASE_URL is none', { host: 'db.invalid' }, /host|looked up/],
      ['its database is not there', { pathname: '/nowhere' }, /there is no such database/],
      ['its user is not known', { username: 'nobody' }, /role "nobody" does not exist|not allow/],
      ['its server speaks no TLS', { search: '?sslmode=verify-full' }, /does not support TLS/],
    ])('%s', { tags: 'long' }, async (_title, changed, meaning) => {
      const url = Object.assign(new URL(server), { password: held, ...changed });
      const said = await refusalOfStartWith({ DATABASE_URL: url.href, APP_SECRET });
      expect(said).toMatch(/^Padlink cannot start. DATABASE_URL: /m);
      expect(said).toMatch(meaning);
      expect(said).toContain('postgres://padlink:secret@127.0.0.1:5432/padlink');
      expect(said).not.toContain('..');
      expect(said).not.toContain(held);
    });

    test.each(['192.0.2.1', 'host.invalid'])(
      'HOST is %s, no address of ours',
      { tags: 'long' },
      async (HOST) => {
        const PORT = String(await findFreePort());
        const said = await refusalOfStartWith({ HOST, PORT });
        expect(said).toMatch(/^Padlink cannot start. HOST: .*HOST=127\.0\.0\.1/m);
        expect(said).toContain(HOST);
      },
    );

    test.each(['PORT', 'SANDBOX_PORT'])('%s is in use', async (name) => {
      const busy = createServer().listen(0, '127.0.0.1');
      await once(busy, 'listening');
      const { port } = busy.address() as { port: number };
      const PORT = String(await findFreePort());
      const said = await refusalOfStartWith({ PORT, [name]: String(port) });
      busy.close();
      expect(said).toContain(`Padlink cannot start. ${name}: ${port} is already in use.`);
    });

    test('DATA_DIR is where nothing can be created', async () => {
      if (process.platform !== 'linux') return skipWithout('linux');
      const said = await refusalOfStart({ PORT: '1', DATA_DIR: '/proc/padlink/data' });
      expect(said).toMatch(/^Padlink cannot start. DATA_DIR: .*DATA_DIR=\/srv/m);
    });

    test('DATA_DIR is no folder', async () => {
      const said = await refusalOfStart({ PORT: '1', DATA_DIR: import.meta.filename });
      expect(said).toMatch(/^Padlink cannot start. DATA_DIR: .*DATA_DIR=\/srv/m);
      expect(said).toContain(import.meta.filename);
    });
  });
});
