import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { examineSetup } from '../../server/running/doctor/examine-setup.ts';
import { askGraphql, createLink, graphql } from '../factories/factories.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { openPage } from '../harness/browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import type { Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { startStripeStandIn } from '../harness/stripe-stand-in.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { expectFocus, waitUntilAlive } from '../journeys/steps.ts';

interface Check {
  name: string;
  state: string;
  says: string;
  remedy: string | null;
}

async function examine(operator: Person): Promise<Record<string, Check | undefined>> {
  const query = '{ examineSetup { name state says remedy } }';
  const { examineSetup } = await graphql<{ examineSetup: Check[] }>(operator, query);
  return Object.fromEntries(examineSetup.map((check) => [check.name, check]));
}

async function refusalOf(person: Person, query: string): Promise<string | undefined> {
  const { errors } = await askGraphql(person, query);
  return errors?.[0]?.extensions?.code;
}

const SEND = 'mutation { sendMailCode }';
const enter = (code: string) => `mutation { confirmMailCode(code: "${code}") }`;

/** A mail server that the product sends through from now on. */
async function mailThrough(app: App, knows?: (email: string) => boolean): Promise<MailServer> {
  const server = await startMailServer({ ...(knows && { knows }) });
  onTestFinished(async () => {
    delete app.env.SMTP_URL;
    delete app.env.MAIL_FROM;
    await app.restart();
    await server.stop();
  });
  Object.assign(app.env, { SMTP_URL: server.url, MAIL_FROM: 'shop@example.com' });
  await app.restart();
  return server;
}

describeOnSqliteFirst('the setup of a site', (database) => {
  let ahead = 0;
  const app = useApp({ database, overrides: { now: () => Date.now() + ahead } });

  test('for trying things out is to be done, and nothing of it is wrong', async () => {
    const found = await examine(await signUpOperator(app));
    expect(found).toMatchObject({
      address: { state: 'warning', says: expect.stringMatching(/^Only this machine reaches http/) },
      webhook: { state: 'ok', remedy: null },
      payments: { state: 'warning', says: expect.stringContaining('only test cards can pay') },
      mail: { state: 'warning', remedy: expect.stringContaining('SMTP_URL and MAIL_FROM') },
      backup: { state: 'warning', says: 'No backup of this site is known.' },
      payouts: { state: 'warning', says: expect.stringMatching(/^Nobody has chosen .*Stripe/) },
    });
    expect(found.certificate).toBe(undefined);
    expect(found.clock?.state).toBe(database === 'postgres' ? 'ok' : undefined);
  });

  test('is in order once PAYOUTS says who sells', async () => {
    const operator = await signUpOperator(app);
    app.env.PAYOUTS = 'manual';
    await app.restart();
    expect((await examine(operator)).payouts).toEqual({
      name: 'payouts',
      state: 'ok',
      says: 'Others sell here as well, and you pay them by hand.',
      remedy: null,
    });
    delete app.env.PAYOUTS;
    await app.restart();
  });

  test('knows of the last backup, but not where it is restored', async () => {
    const operator = await signUpOperator(app);
    const folder = join(createDataFolder(), 'backup');
    const backUp = () => runCli(app.env, 'backup', folder);
    expect(await backUp()).toMatchObject({ status: 0, stderr: '' });
    expect((await examine(operator)).backup).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/^The last backup was made on /),
    });
    expect(await backUp()).toMatchObject({ status: 0, stderr: '' });
    ahead = 9 * 86_400_000;
    expect((await examine(operator)).backup).toMatchObject({
      state: 'warning',
      remedy: expect.stringContaining('npm run cli -- backup'),
    });
    ahead = 0;

    const place = await createTestEnvironment({ database, empty: true });
    onTestFinished(place.remove);
    expect(await runCli(place.env, 'restore', folder)).toMatchObject({ status: 0 });
    const names = await withDatabase(place, (db) =>
      db.selectFrom('installation').select('name').orderBy('name').execute(),
    );
    expect(names).toEqual([{ name: 'id' }, { name: 'secret' }]);
  });

  test('proves by a code that mail arrives, as long as it is sent by the same settings', async () => {
    const operator = await signUpOperator(app);
    const server = await mailThrough(app);
    const { mail } = await examine(operator);
    expect(mail).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/accepts connections\. Nobody has confirmed/),
    });
    expect(await graphql(operator, SEND)).toEqual({ sendMailCode: operator.email });
    const code = await server.readCode(operator.email);
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await refusalOf(operator, enter(wrong))).toBe('INVALID_INPUT');
    ahead = 10 * 60_000;
    expect(await refusalOf(operator, enter(code))).toBe('INVALID_INPUT');
    ahead = 0;
    await graphql(operator, enter(`${code.slice(0, 3)} ${code.slice(3)}`));
    const proven = { state: 'ok', says: expect.stringContaining('An email arrived on') };
    expect((await examine(operator)).mail).toMatchObject(proven);
    await app.restart();
    expect((await examine(operator)).mail).toMatchObject(proven);
    app.env.MAIL_FROM = 'another@example.com';
    await app.restart();
    expect((await examine(operator)).mail?.state).toBe('warning');
  });

  test('says what the mail server refuses, and mails few codes', async () => {
    const operator = await signUpOperator(app);
    await mailThrough(app, () => false);
    const { errors } = await askGraphql(operator, SEND);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^The mail server did not take the email: .*no such user/),
      extensions: { code: 'MAIL_REFUSED' },
    });
    for (let sent = 1; sent < 5; sent += 1) await askGraphql(operator, SEND);
    expect(await refusalOf(operator, SEND)).toBe('RATE_LIMITED');
    for (let tried = 0; tried < 10; tried += 1) {
      expect(await refusalOf(operator, enter('000000'))).toBe('INVALID_INPUT');
    }
    expect(await refusalOf(operator, enter('000000'))).toBe('RATE_LIMITED');
  });
});

describe('the setup of a site that is on its way', () => {
  const app = useApp();

  const PUBLIC = {
    PAYMENTS: 'sandbox',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'shop@example.com',
  };

  /** What is found with other settings. */
  const examineWith = (env: Record<string, string>) =>
    withDatabase(app, (db) =>
      examineSetup({
        config: readConfig({ ...app.env, ...env }),
        db,
        secret: 'x'.repeat(40),
        webhookSecret: 'whsec_x',
        mailProvenAt: null,
        findProviderFaults: async () => [],
        now: Date.now,
      }),
    );

  test('is told where nothing answers, and where buyers come without TLS', async () => {
    expect(await examineWith({ ...PUBLIC, PUBLIC_URL: 'http://0.0.0.0:1' })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'address', state: 'warning' }),
        expect.objectContaining({ name: 'certificate', state: 'warning' }),
      ]),
    );
  });
});

test('a site with a Stripe key is told which webhook endpoints are missing, and asked who sells', async () => {
  const stripe = await startStripeStandIn();
  onTestFinished(() => stripe.stop());
  const app = await startApp({ env: stripe.env, overrides: stripe.overrides });
  onTestFinished(() => app.stop());
  const operator = await signUpOperator(app);
  expect(await examine(operator)).toMatchObject({
    payments: {
      state: 'fault',
      says: expect.stringMatching(
        /^The webhook endpoint for events of your account at .* not exist/,
      ),
    },
    payouts: { state: 'warning', says: expect.stringMatching(/you pay them by hand\.$/) },
  });

  // With its first steps done, the way to these checks is still there.
  await createLink(operator, { type: 'link', url: 'https://example.com/' });
  await mailThrough(app);
  const overview = await (await operator.fetch('/operator')).text();
  expect(overview).not.toContain('First steps');
  expect(overview).toContain('href="/operator/setup"');
});

describe('the setup page', () => {
  const app = useApp();

  test('checks the site, mails a code and takes it, and says that mail arrives', async () => {
    const operator = await signUpOperator(app);
    const server = await mailThrough(app);
    const page = await openPage(app, { as: operator });
    await page.goto('/operator');
    await page.getByRole('link', { name: 'See all that this site needs' }).click();
    await page.getByRole('heading', { name: 'Set up this site', level: 1 }).waitFor();
    await waitUntilAlive(page);
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name }).first();
    await row('Who sells here?').getByText('PAYOUTS=solo').waitFor();
    await row('Payment events').getByText('In order').waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'Check again' }).waitFor();

    const mail = row('Emails');
    await mail.getByRole('button', { name: 'Send me a code' }).click();
    await mail.getByText(`is on its way to ${operator.email}`).waitFor();
    await mail.getByLabel('Code', { exact: true }).fill('12');
    await mail.getByRole('button', { name: 'Confirm' }).click();
    await mail.getByText('Enter the six-digit code from the email.').waitFor();
    await mail.getByLabel('Code', { exact: true }).fill(await server.readCode(operator.email));
    await mail.getByRole('button', { name: 'Confirm' }).click();
    const status = page.getByRole('status').filter({ hasText: 'Emails arrive at' });
    await status.waitFor();
    await expectFocus(status);
    await mail.getByText('In order').waitFor();
    expect(await mail.getByRole('button').count()).toBe(0);
  });

  test('is left to the command where there is no JavaScript', async () => {
    const operator = await signUpOperator(app);
    const page = await openPage(app, { as: operator, javaScript: false });
    await page.goto('/operator/setup');
    await page.locator('noscript p', { hasText: 'npm run cli -- doctor' }).waitFor();
    expect(await page.getByText('Checking...').isVisible()).toBe(false);
  });
});
