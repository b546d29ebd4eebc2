import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeSettings } from '../../scripts/describe-settings.ts';
import { FIELDS } from '../../server/ground/config/settings.ts';
import { findFreePort } from '../harness/free-port.ts';
import { startQuietProvider } from '../harness/quiet-provider.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { type App, startApp } from '../harness/start-app.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');

/** What every installation of the tests has. */
const OF_EACH = ['HOST', 'PORT', 'PUBLIC_URL', 'DATA_DIR', 'LOG_LEVEL'];

const METRICS_PORT = String(await findFreePort());

/** One machine that does all by itself. */
const SMALL = {
  APP_SECRET: 'of-one-machine-'.repeat(3),
  PAYMENTS: 'sandbox',
  SANDBOX_PORT: String(await findFreePort()),
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Shop <shop@example.com>',
  MAIL_REPLY_TO: 'help@example.com',
  PAYOUTS: 'manual',
  PAYOUT_MIN_CENTS: '1000',
  PAYOUT_COST_CENTS: '10',
  HOLD_DAYS: '3',
  PLATFORM_FEE_PERCENT: '2.5',
  PLATFORM_FEE_FIXED_CENTS: '25',
  REFUND_COST: 'creator',
  DISPUTE_FEE: 'creator',
  MIN_PRICE_CENTS: '200',
  MAX_FILE_BYTES: '1000000',
  ACCOUNT_QUOTA_BYTES: '5000000',
  QUOTA_LINKS: '5',
  QUOTA_UPLOADS_A_DAY: '5',
  MIN_FREE_DISK_BYTES: '1000',
  TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  CLAMD_SOCKET: '127.0.0.1:3310',
  DOWNLOAD_ACCEL: '/protected/',
  SIGN_UP: 'invite',
  OPERATOR_EMAILS: 'boss@example.com',
  GOOGLE_CLIENT_ID: 'google',
  GOOGLE_CLIENT_SECRET: 'of google',
  GITHUB_CLIENT_ID: 'github',
  GITHUB_CLIENT_SECRET: 'of github',
  SERVICE_KEY: 'of-the-operator-'.repeat(3),
  SITE_NAME: 'Example',
  SITE_LOGO: join(import.meta.dirname, '../../web/assets/icons/padlink.svg'),
  ACCENT_COLOR: '#1D6FD8',
  SUPPORT_EMAIL: 'help@example.com',
  OPERATOR_NAME: 'Example Inc.',
  OPERATOR_ADDRESS: '1 Main Street, Springfield',
  LANDING_COUNTERS: '10,20,30',
  METRICS_TOKEN: 'of-prometheus-'.repeat(3),
  METRICS_PORT,
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  OTEL_SERVICE_NAME: 'shop',
  SHUTDOWN_DELAY_SECONDS: '0',
};

/** A platform that uses the services of others. */
const LARGE = {
  STRIPE_SECRET_KEY: 'sk_test_padlink',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_platform',
  STRIPE_CALLS_PER_SECOND: '50',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_of_connected_accounts',
  STRIPE_THIN_WEBHOOK_SECRET: 'whsec_of_thin_events',
  PAYOUTS: 'connect',
  TAX: 'stripe',
  CHECKOUT_DOMAIN: 'pay.example.com',
  CHECKOUT_API_ENDPOINT: 'https://pay.example.com/prod/',
  OIDC_ISSUER: 'https://pool.example.com',
  OIDC_CLIENT_ID: 'padlink',
  OIDC_CLIENT_SECRET: 'of the pool',
  OIDC_NAME: 'Example Inc.',
  OIDC_ONLY: 'true',
  S3_DELIVERY: 'proxy',
};

async function expectToWork(app: App): Promise<void> {
  expect(await (await fetch(`${app.origin}/readyz`)).json()).toMatchObject({ status: 'ready' });
  for (const path of ['/', '/login', '/terms']) {
    expect((await fetch(app.origin + path)).status).toBe(200);
  }
}

test('every setting is documented once, and is started with here', () => {
  const rows = [...PAGE.matchAll(/^\| `([A-Z\d_]+)` \| \S.* \| \S.*\. \|$/gm)];
  const names = rows.map(([, name = '']) => name);
  const tried = [...OF_EACH, ...Object.keys(SMALL), ...Object.keys(LARGE), 'DATABASE_URL'];
  const s3 = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  expect(names.sort()).toEqual(Object.keys(FIELDS).sort());
  expect([...new Set([...tried, ...s3])].sort()).toEqual(names);
});

test('docs/settings.md is what the settings say of themselves (npm run settings)', () => {
  expect(PAGE).toBe(describeSettings());
});

test('one machine starts with all that it can be set to', { tags: 'long' }, async () => {
  const app = await startApp({ env: SMALL });
  onTestFinished(() => app.stop());
  await expectToWork(app);
  expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).status).toBe(200);
});

test('a platform starts with all that it can be set to', { tags: 'long' }, async () => {
  needS3();
  const bucket = await createBucket();
  if (!bucket) return;
  const provider = await startQuietProvider();
  onTestFinished(() => provider.stop());
  const env = { ...LARGE, ...s3Settings(bucket) };
  const app = await startApp({ database: 'postgres', env, overrides: provider.overrides });
  onTestFinished(() => app.stop());
  await expectToWork(app);
});
