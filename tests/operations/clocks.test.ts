import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStripe } from '../../server/adapters/stripe/open-stripe.ts';
import { SAME_LINES_A_MINUTE } from '../../server/running/log.ts';
import { sellFile, signUp } from '../factories/factories.ts';
import { checkOut } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson } from '../harness/person.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { deliverWebhook, WEBHOOK_SECRET, webhookEnv } from '../harness/webhook.ts';

const AHEAD_S = 600;
/** What sets the clock of the whole process ahead. */
const clock = `const now = Date.now; Date.now = () => now() + ${AHEAD_S * 1000};`;

describe('a product whose clock is ten minutes ahead', () => {
  let app: SpawnedApp;

  beforeAll(async () => {
    const env = {
      ...webhookEnv(0),
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
    };
    app = await spawnApp({ env });
  });
  afterAll(() => app?.stop());

  test('finds no other clock at the sandbox, which runs in its process', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(await signUp(app));
    await checkOut(createPerson(app), id);
    await deliverWebhook(app, { id: 'evt_0', object: 'event', type: 'x', livemode: false });
    await eventually(() => expect(app.output()).toContain('signed it'));
    expect(app.output()).not.toMatch(/clock is (ahead of|behind)/);
  });

  test('says so when it refuses a webhook, in its answer and in its log', async () => {
    const event = {
      id: 'evt_1',
      object: 'event',
      type: 'x',
      livemode: false,
      data: { object: {} },
    };
    // Each older than the one before.
    for (let time = 0; time < 3 * SAME_LINES_A_MINUTE; time += 1) {
      const answer = await deliverWebhook(app, event, time);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(/signature is valid, but 6\d\d seconds old .* clock/);
    }
    await eventually(() =>
      expect(app.output()).toMatch(/"level":50,.*"seconds":6\d\d,.*Correct the clock/),
    );
    await eventually(() =>
      expect(app.output().match(/signed it too long ago/g)).toHaveLength(SAME_LINES_A_MINUTE),
    );
  });

  test('says that a webhook was signed with another secret, five times however many come', async () => {
    const payload = '{}';
    const time = Math.floor(Date.now() / 1000) + AHEAD_S;
    const mac = createHmac('sha256', `${WEBHOOK_SECRET}x`).update(`${time}.${payload}`);
    const signature = `t=${time},v1=${mac.digest('hex')}`;
    for (let copy = 0; copy < 20; copy += 1) {
      const { status } = await fetch(`${app.origin}/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // A proxy may have taken it away.
          ...(copy > 0 && { 'stripe-signature': signature }),
        },
        body: payload,
      });
      expect(status).toBe(400);
    }
    await eventually(() => expect(app.output()).toContain(`"refused":${SAME_LINES_A_MINUTE}`));
    expect(app.output()).toMatch(/"level":40,.*STRIPE_WEBHOOK_SECRET/);
    expect(app.output().match(/STRIPE_WEBHOOK_SECRET/g)).toHaveLength(SAME_LINES_A_MINUTE);
  });
});

describe('a checkout that the provider refuses', () => {
  test.each([
    ['ahead of', AHEAD_S],
    ['behind', -AHEAD_S],
  ])("because our clock is %s the provider's says by how much", async (side, difference) => {
    stopClock();
    const server = createServer((_request, response) => {
      response.writeHead(400, {
        'content-type': 'application/json',
        date: new Date(Date.now() - difference * 1000).toUTCString(),
      });
      const message = 'The `expires_at` timestamp must be at least 30 minutes from creation.';
      const error = { type: 'invalid_request_error', param: 'expires_at', message };
      response.end(JSON.stringify({ error }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const said: [{ seconds: number }, string][] = [];
    const log = { warn() {}, error: (...line: (typeof said)[number]) => said.push(line) };
    const target = {
      kind: 'sandbox',
      apiUrl: `http://127.0.0.1:${port}`,
      webhookSecret: '',
    } as const;
    const { provider } = openStripe(target, log as never);
    const opening = provider.createCheckout({
      paymentId: 'payment',
      installationId: 'installation',
      lines: [
        {
          title: 'Notes',
          purchaseId: 'purchase',
          linkId: 'aaaaaaaa',
          agreedCents: 500,
          feeCents: 55,
          contentFingerprint: 'fingerprint',
          gift: null,
        },
      ],
      taxed: false,
      currency: 'usd',
      buyerEmail: null,
      successUrl: 'http://localhost/success',
      cancelUrl: 'http://localhost/',
      expiresAt: Date.now() + 35 * 60_000,
      idempotencyKey: 'checkout-purchase-1',
    });
    await expect(opening).rejects.toThrow(/expires_at/);
    server.closeAllConnections();
    server.close();
    expect(said).toEqual([
      [
        {
          provider: 'stripe',
          seconds: expect.toSatisfy((seconds) => Math.abs(seconds - AHEAD_S) < 2),
        },
        expect.stringContaining(`clock is ${side} the payment provider's by the seconds`),
      ],
    ]);
  });
});
