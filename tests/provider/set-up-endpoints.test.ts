import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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

  const setUp = (app: App, ...words: string[]) => runCli(app.env, 'stripe', 'setup', ...words);

  test('creates the endpoints with what is read, and a sale is told through them', async () => {
    const { app, stripe, port } = await openShop();
    expect((await runCli(app.env, 'stripe', 'check')).stdout).toMatch(
      /^The webhook endpoint for events of your account at .* does not exist\. “stripe setup” creates it\.\n/,
    );
    const file = join(createDataFolder(), 'padlink.env');
    writeFileSync(file, '# Mine\nSTRIPE_WEBHOOK_SECRET=whsec_old\nLOG_LEVEL=warn');
    const { status, stdout } = await setUp(app, '--env-file', file);
    expect([status, stdout.match(/^Created: .*$/gm)]).toEqual([
      0,
      [
        'Created: the endpoint for events of your account.',
        'Created: the endpoint for events of connected accounts.',
        'Created: the endpoint for thin events.',
      ],
    ]);
    expect(stdout).not.toContain('whsec_');
    expect(statSync(file).mode & 0o777).toBe(0o600);
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

  test('has an endpoint that is there send exactly what is read, and leaves it alone after that', async () => {
    const { app, stripe } = await openShop();
    expect((await setUp(app)).stdout).toMatch(
      /\nAdd this to the settings, and start Padlink again:\nSTRIPE_WEBHOOK_SECRET=whsec_\w+\n/,
    );
    const [platform, connected] = (await stripe.webhookEndpoints.list()).data;
    const update = (id = '', change: object) => stripe.webhookEndpoints.update(id, change);
    await update(platform?.id, { enabled_events: ['charge.refunded', 'customer.created'] });
    await update(connected?.id, { disabled: true });
    const said = async () => (await setUp(app)).stdout.trim().split('\n');
    expect(await said()).toEqual([
      'Mended: the endpoint for events of your account.',
      'Mended: the endpoint for events of connected accounts.',
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
  });

  test('keeps a secret where the settings read it, and prints it where it cannot', async () => {
    const { app, stripe } = await openShop();
    const folder = createDataFolder();
    const file = join(folder, 'secret');
    const env = {
      ...app.env,
      PAYOUTS: 'manual',
      STRIPE_WEBHOOK_SECRET_FILE: file,
    };
    writeFileSync(file, 'whsec_old');
    expect(await runCli(env, 'stripe', 'setup')).toMatchObject({
      status: 0,
      stdout: `Created: the endpoint for events of your account.\nIts secret is in ${file}. Start Padlink again.\n`,
    });
    expect(readFileSync(file, 'utf8')).toMatch(/^whsec_\w{20,}\n$/);

    await stripe.webhookEndpoints.del('we_sandbox');
    const nowhere = join(folder, 'missing', 'padlink.env');
    const { stderr } = await runCli(
      { ...app.env, PAYOUTS: 'manual' },
      ...['stripe', 'setup', '--env-file', nowhere],
    );
    expect(stderr).toMatch(
      /padlink\.env could not be written \(.*ENOENT.*\nSTRIPE_WEBHOOK_SECRET=whsec_/,
    );
  });

  test('says what the key must not do, and that Stripe reaches no local address', async () => {
    const provider = await startQuietProvider();
    onTestFinished(() => provider.stop());
    const keyWithout = (resources: string) =>
      openStripe(
        {
          kind: 'stripe',
          secretKey: `rk_test_no_${resources}`,
          live: false,
          callsPerSecond: 100,
          apiUrl: provider.overrides.providerUrl,
          webhookSecret: '',
          connect: true,
        },
        { warn() {}, error() {} },
      ).setUpEndpoints(`${provider.overrides.providerUrl}/webhooks/stripe`, () => {});
    await expect(keyWithout('webhook_endpoints')).rejects.toThrow(
      'lacks the permission Webhook Endpoints (Read). Grant it at ',
    );
    await expect(keyWithout('core_event_destinations')).rejects.toThrow(
      'lacks the permission Event Destinations (Read). Grant it at ',
    );

    const local = await runCli({ STRIPE_SECRET_KEY: 'sk_test_local' }, 'stripe', 'setup');
    expect(local).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Stripe cannot reach /),
    });
    const wrong = await runCli({ STRIPE_SECRET_KEY: 'nonsense' }, 'stripe', 'setup');
    expect(wrong).toMatchObject({ status: 1, stderr: expect.stringMatching(/STRIPE_SECRET_KEY/) });
  });
});
