import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const main = join(import.meta.dirname, '..', 'server', 'main.ts');

/** Starts the product with a configuration that it must refuse. Returns what it says. */
function refusalOf(env: Record<string, string>): string {
  const data = mkdtempSync(join(tmpdir(), 'padlink-refused-'));
  try {
    const result = spawnSync(process.execPath, [main], {
      env: { PATH: process.env.PATH, DATA_DIR: data, PORT: '1', ...env },
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(result.status).toBe(1);
    return result.stdout + result.stderr;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

describe('the start is refused', () => {
  const smtp = { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'shop@example.com' };

  test('on a public address without mail and payments, naming both', () => {
    const said = refusalOf({ PUBLIC_URL: 'https://pay.example.com' });
    expect(said).toMatch(/SMTP_URL/);
    expect(said).toMatch(/STRIPE_SECRET_KEY/);
    expect(said).toMatch(/PAYMENTS=sandbox/);
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
    ['a port that is no port', { PORT: 'http' }, /PORT/],
    ['an address that is no origin', { PUBLIC_URL: 'http://localhost/shop' }, /PUBLIC_URL/],
    ['a checkout domain with a path', { CHECKOUT_DOMAIN: 'a.example/pay' }, /CHECKOUT_DOMAIN/],
    [
      'a checkout domain with a scheme',
      { CHECKOUT_DOMAIN: 'https://a.example' },
      /CHECKOUT_DOMAIN/,
    ],
    ['two counters instead of three', { LANDING_COUNTERS: '1,2' }, /LANDING_COUNTERS/],
    ['a checkout domain that is a word', { CHECKOUT_DOMAIN: 'pay' }, /pay\.example\.com/],
    ['a refund cost that nobody bears', { REFUND_COST: 'buyer' }, /REFUND_COST/],
    ['a negative file limit', { MAX_FILE_BYTES: '-1' }, /MAX_FILE_BYTES/],
    ['a secret file that is not there', { APP_SECRET_FILE: '/nowhere' }, /APP_SECRET_FILE/],
  ])('for %s', (_title, env, named) => {
    expect(refusalOf(env)).toMatch(named);
  });

  test.each([
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
    ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ])('for %s alone, naming every setting that goes with it', (given, ...missing) => {
    const said = refusalOf({ [given]: 'https://id.example.com' });
    for (const name of missing) expect(said).toContain(`- ${name}: missing`);
    expect(said).not.toContain(`- ${given}:`);
  });

  test.each([
    [
      'a user pool over plain http',
      { OIDC_ISSUER: 'http://id.example.com' },
      /OIDC_ISSUER: .*https/,
    ],
    ['a user pool as the only way in that is not there', { OIDC_ONLY: 'true' }, /OIDC_ISSUER/],
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
  ])('for %s', (_title, env, named) => {
    expect(refusalOf(env)).toMatch(named);
  });

  test('with every fault at once', () => {
    const said = refusalOf({ PORT: 'x', MAX_FILE_BYTES: 'y', LOG_LEVEL: 'z' });
    for (const name of ['PORT', 'MAX_FILE_BYTES', 'LOG_LEVEL']) expect(said).toContain(name);
  });
});
