import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { gatherLog } from '../harness/gather-log.ts';
import { startQuietProvider } from '../harness/quiet-provider.ts';
import { runCli } from '../harness/run-command.ts';
import { startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf, WEBHOOK_SECRET } from '../harness/webhook.ts';

const sandboxPort = await findFreePort();

describe('a start with a restricted key', () => {
  let provider: Awaited<ReturnType<typeof startQuietProvider>>;

  beforeAll(async () => {
    provider = await startQuietProvider();
  });
  afterAll(() => provider?.stop());

  async function startWith(key: string, more: object = {}): Promise<() => string> {
    const { logTo, readLog } = gatherLog();
    const env = {
      STRIPE_SECRET_KEY: key,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      LOG_LEVEL: 'warn',
      ...more,
    };
    const app = await startApp({ env, overrides: { ...provider.overrides, logTo } });
    onTestFinished(() => app.stop());
    return readLog;
  }

  test('says which permissions it lacks, and where to grant them', async () => {
    const log = await startWith('rk_test_no_disputes_no_balance_transactions_no_refunds');
    await eventually(() => {
      for (const lacking of [
        'Disputes (Read)',
        'Disputes (Write)',
        'Balance (Read)',
        'Charges and Refunds (Write)',
      ]) {
        expect(log()).toContain(`STRIPE_SECRET_KEY lacks the permission ${lacking}. Grant it at `);
      }
    });
    expect(log().match(/lacks the permission/g)).toHaveLength(4);
    expect(log()).toMatch(/"level":50,.*lacks the permission/);
  });

  test('that pays creators needs further ones', async () => {
    const log = await startWith('rk_test_no_transfers_no_core_accounts_no_balance_settings', {
      PAYOUTS: 'connect',
      STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_connect',
      STRIPE_THIN_WEBHOOK_SECRET: 'whsec_thin',
    });
    await eventually(() => {
      for (const lacking of ['Transfers (Write)', 'Accounts v2 (Read)', 'Balance Settings (Write)'])
        expect(log()).toContain(`STRIPE_SECRET_KEY lacks the permission ${lacking}. Grant it at `);
    });
    expect(log()).not.toMatch(/Payouts|Login Links/);
  });

  test('that has them all says nothing of it, and one that is not known says so', async () => {
    const log = await startWith('rk_test_everything');
    const other = await startWith('sk_live_of_nobody');
    await eventually(() => expect(other()).toMatch(/could not be checked what STRIPE_SECRET_KEY/));
    expect(log()).toBe('');
  });
});

describe('stripe check', () => {
  const app = useApp({ env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) } });

  test('compares the events of the endpoint with those needed', async () => {
    const run = () => runCli(app.env, 'stripe', 'check');
    expect(await run()).toMatchObject({
      status: 0,
      stdout: 'The key and the endpoints are in order.\n',
    });
    const stripe = stripeOf(sandboxPort);
    const endpoints = (await stripe.webhookEndpoints.list()).data;
    const update = (change: object) =>
      Promise.all(endpoints.map(({ id }) => stripe.webhookEndpoints.update(id, change)));
    await update({ enabled_events: ['checkout.session.completed', 'charge.refunded'] });
    const partial = await run();
    expect(partial.status).toBe(1);
    expect(partial.stdout).toMatch(
      /\/webhooks\/stripe does not send checkout\.session\.async_payment_succeeded, .*charge\.dispute\.created/,
    );
    expect(partial.stdout).not.toMatch(/charge\.refunded|session\.completed/);
    await update({ disabled: true });
    expect((await run()).stdout).toMatch(/^The webhook endpoint for .* is disabled\./);
    // Whatever that of connected accounts sends.
    await stripe.webhookEndpoints.update('we_sandbox_connect', {
      disabled: false,
      enabled_events: ['account.updated'],
    });
    expect((await run()).stdout).toMatch(
      /^The webhook endpoint for .*your account.* is disabled\./,
    );
    await update({ disabled: false, enabled_events: ['*'] });
    expect((await run()).status).toBe(0);
  });

  test('compares both further endpoints where creators are paid through the provider', async () => {
    const stripe = stripeOf(sandboxPort);
    const { eventDestinations } = stripe.v2.core;
    await stripe.webhookEndpoints.update('we_sandbox_connect', { enabled_events: ['payout.paid'] });
    await eventDestinations.update('ed_sandbox_thin', {
      enabled_events: ['v2.core.account[requirements].updated'],
    });
    const [connected, thin, ...more] = (await runCli(app.env, 'stripe', 'check')).stdout
      .trim()
      .split('\n');
    expect(connected).toMatch(
      /^The webhook endpoint for events of connected accounts at .*\/webhooks\/stripe does not send account\.updated, payout\.failed, payout\.updated, payout\.canceled\. “stripe setup” adds them\.$/,
    );
    expect(thin).toMatch(
      /^The webhook endpoint for thin events at .* does not send v2\.core\.account\[configuration\.recipient\]\.capability_status_updated\./,
    );
    expect(more).toEqual([]);
    const manual = await runCli({ ...app.env, PAYOUTS: 'manual' }, 'stripe', 'check');
    expect(manual).toMatchObject({ status: 0 });
    await eventDestinations.disable('ed_sandbox_thin');
    expect((await runCli(app.env, 'stripe', 'check')).stdout).toContain('thin events at');
  });
});
