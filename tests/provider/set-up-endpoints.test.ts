import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SetUp } from '../../server/adapters/stripe/endpoints.ts';
import { openStripe } from '../../server/adapters/stripe/open-stripe.ts';
import { EVENTS } from '../../server/adapters/stripe/read-events.ts';
import { sellFile, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { createPerson } from '../harness/person.ts';
import { startQuietProvider } from '../harness/quiet-provider.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { findEvent, stripeOf } from '../harness/webhook.ts';

const SET_UP = ['stripe', 'setup'];

describe('stripe setup', () => {
  /** A product whose provider has no endpoint of it yet. */
  async function openShop() {
    const port = await findFreePort();
    const app = await startApp({ env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(port) } });
    onTestFinished(() => app.stop());
    const stripe = stripeOf(port);
    for (const { id } of (await stripe.webhookEndpoints.list()).data) {
      await stripe.webhookEndpoints.del(id);
    }
    await stripe.v2.core.eventDestinations.del('ed_sandbox_thin');
    return { app, stripe, port };
  }

  const setUp = (app: App, ...words: string[]) => runCli(app.env, ...SET_UP, ...words);

  test('creates the endpoints with what is read, and a sale is told through them', async () => {
    const { app, stripe, port } = await openShop();
    expect((await runCli(app.env, 'stripe', 'check')).stdout).toMatch(
      /^The webhook endpoint for events of your account at .* does not exist\. “stripe setup” creates it\.\n/,
    );
    const file = join(createDataFolder(), 'padlink.env');
    writeFileSync(file, '# Mine\nSTRIPE_WEBHOOK_SECRET=whsec_old\nLOG_LEVEL=warn');
    chmodSync(file, 0o640);
    const its = `Its secret is in ${file}. Start Padlink again.`;
    expect(await setUp(app, file)).toEqual({
      status: 0,
      stderr: '',
      stdout: `${[
        'At the sandbox:',
        'Created: the endpoint for events of your account.',
        its,
        'Created: the endpoint for events of connected accounts.',
        its,
        'Created: the endpoint for thin events.',
        its,
      ].join('\n')}\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.slice(0, 2)).toEqual(['# Mine', 'LOG_LEVEL=warn']);
    const secrets = lines.slice(2).map((line) => line.split('=') as [string, string]);
    expect(secrets).toEqual([
      ['STRIPE_WEBHOOK_SECRET', expect.stringMatching(/^whsec_\w{20}/)],
      ['STRIPE_CONNECT_WEBHOOK_SECRET', expect.stringMatching(/^whsec_\w{20}/)],
      ['STRIPE_THIN_WEBHOOK_SECRET', expect.stringMatching(/^whsec_\w{20}/)],
    ]);
    const [platform, connected] = (await stripe.webhookEndpoints.list()).data;
    expect(platform).toMatchObject({
      url: `${app.origin}/webhooks/stripe`,
      enabled_events: EVENTS.platform(true),
    });
    expect(connected).toMatchObject({ enabled_events: EVENTS.connected });
    expect((await runCli(app.env, 'stripe', 'check')).status).toBe(0);

    Object.assign(app.env, Object.fromEntries(secrets));
    await app.restart();
    const { id } = await sellFile(await signUp(app));
    await payFor(createPerson(app), id);
    await eventually(async () => {
      const event = await findEvent(port, 'checkout.session.completed');
      expect(event.pending_webhooks).toBe(0);
    });
  });

  test('repairs an endpoint that is there, and leaves it alone after that', async () => {
    const { app, stripe } = await openShop();
    expect((await setUp(app)).stdout).toMatch(
      /\nAdd this to the settings, and start Padlink again:\nSTRIPE_WEBHOOK_SECRET=whsec_\w+\n/,
    );
    const [platform, connected] = (await stripe.webhookEndpoints.list()).data;
    const update = (id = '', change: object) => stripe.webhookEndpoints.update(id, change);
    await update(platform?.id, { enabled_events: ['charge.refunded', 'customer.created'] });
    await update(connected?.id, { disabled: true });
    const said = async () => (await setUp(app)).stdout.trim().split('\n').slice(1);
    expect(await said()).toEqual([
      'Repaired: the endpoint for events of your account.',
      'Repaired: the endpoint for events of connected accounts.',
      'In order: the endpoint for thin events.',
    ]);
    expect((await stripe.webhookEndpoints.list()).data).toMatchObject([
      { enabled_events: EVENTS.platform(true), status: 'enabled' },
      { enabled_events: EVENTS.connected, status: 'enabled' },
    ]);
    expect(await said()).toEqual([
      'In order: the endpoint for events of your account.',
      'In order: the endpoint for events of connected accounts.',
      'In order: the endpoint for thin events.',
    ]);
    const wrong = await runCli({ ...app.env, STRIPE_WEBHOOK_SECRET: 'changeme' }, ...SET_UP);
    expect(wrong).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(
        '\nSTRIPE_WEBHOOK_SECRET is missing or wrong. Copy the signing secret of the endpoint we_sandbox from https://',
      ),
    });
  });

  test('never takes the endpoint of connected accounts for that of the account', async () => {
    const { app, stripe } = await openShop();
    await setUp(app);
    await stripe.webhookEndpoints.del('we_sandbox');
    await stripe.webhookEndpoints.update('we_sandbox_connect', { enabled_events: ['*'] });
    const { stdout } = await setUp(app);
    expect(stdout.match(/^\w+( \w+)?(?=: )/gm)).toEqual(['Created', 'Repaired', 'In order']);
    expect((await stripe.webhookEndpoints.list()).data).toMatchObject([
      { enabled_events: EVENTS.platform(true) },
      { enabled_events: EVENTS.connected },
    ]);
  });

  test('keeps a secret where the settings read it, and prints it where it cannot', async () => {
    const { app, stripe } = await openShop();
    const folder = createDataFolder();
    const [secret, link] = [join(folder, 'secret'), join(folder, 'link')];
    writeFileSync(secret, 'whsec_old');
    symlinkSync(secret, link);
    const solo = { ...app.env, PAYOUTS: 'manual' };
    expect(await runCli({ ...solo, STRIPE_WEBHOOK_SECRET_FILE: link }, 'stripe', 'setup')).toEqual({
      status: 0,
      stdout: `At the sandbox:\nCreated: the endpoint for events of your account.\nIts secret is in ${link}. Start Padlink again.\n`,
      stderr: '',
    });
    expect(readFileSync(secret, 'utf8')).toMatch(/^whsec_\w{20,}\n$/);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);

    await stripe.webhookEndpoints.del('we_sandbox');
    const nowhere = { STRIPE_WEBHOOK_SECRET_FILE: '/proc/self/secret' };
    const { stderr } = await runCli({ ...solo, ...nowhere, STRIPE_WEBHOOK_SECRET: '' }, ...SET_UP);
    expect(stderr).toMatch(/secret could not be written \(.*\nSTRIPE_WEBHOOK_SECRET=whsec_\w{20}/);
    const missing = await setUp(app, join(folder, 'missing.env'));
    expect(missing).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('There is no file'),
    });
  });

  test('needs no secret that it is to create, wherever it is read from, but every other setting', async () => {
    const empty = join(createDataFolder(), 'empty');
    writeFileSync(empty, '');
    const setUpWith = (more: Record<string, string>) =>
      runCli({ STRIPE_SECRET_KEY: 'sk_test_local', ...more }, ...SET_UP);
    const cases: Record<string, string>[] = [
      {},
      { PAYOUTS: 'connect' },
      { STRIPE_WEBHOOK_SECRET: 'changeme' },
      { STRIPE_WEBHOOK_SECRET_FILE: empty },
      { STRIPE_WEBHOOK_SECRET_FILE: `${empty}.missing` },
    ];
    for (const env of cases) {
      expect(await setUpWith(env)).toMatchObject({
        status: 1,
        stderr:
          'Stripe cannot reach http://localhost:3000. Set PUBLIC_URL to the address that buyers open.\n',
      });
    }
    const wrong = await setUpWith({ MIN_PRICE_CENTS: 'cheap' });
    expect(wrong).toMatchObject({ status: 1, stderr: expect.stringMatching(/MIN_PRICE_CENTS/) });
  });

  test('tells each secret before it goes on, and what the key may not do', async () => {
    const provider = await startQuietProvider();
    onTestFinished(() => provider.stop());
    const { providerUrl } = provider.overrides;
    const stripe = stripeOf(provider.port);
    await stripe.webhookEndpoints.del('we_sandbox');
    await stripe.v2.core.eventDestinations.disable('ed_sandbox_thin');
    const told: SetUp[] = [];
    const setUpAt = (url: string, secretKey: string) =>
      openStripe(
        {
          kind: 'stripe',
          secretKey,
          live: false,
          callsPerSecond: 100,
          apiUrl: providerUrl,
          webhookSecret: '',
          connect: true,
        },
        { warn() {}, error() {} },
      ).setUpEndpoints(url, async (what) => void told.push(what));
    const url = `${providerUrl}/webhooks/stripe`;
    await expect(setUpAt(url, 'rk_test_no_core_event_destinations')).rejects.toThrow(
      'lacks the permission Event Destinations (Read). Grant it at ',
    );
    await expect(setUpAt(url, 'rk_test_no_webhook_endpoints')).rejects.toThrow(
      'lacks the permission Webhook Endpoints (Write). Grant it at ',
    );
    expect(told).toEqual([]);
    // The sandbox has one endpoint of each kind: the second is refused.
    await expect(setUpAt('https://pay.example.com/', 'sk_test_all')).rejects.toThrow(
      'The payment provider refused it: The sandbox has one',
    );
    expect(told).toMatchObject([
      {
        setting: 'STRIPE_WEBHOOK_SECRET',
        did: 'created',
        secret: expect.stringMatching(/^whsec_/),
      },
    ]);
  });
});
