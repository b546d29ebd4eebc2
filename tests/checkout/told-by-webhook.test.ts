import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WAIT_MS } from '../../server/selling/checkout/refresh-checkout.ts';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { graphql, publishableKey, sellFile, signUp } from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, findEvent, stripeOf, webhookEnv } from '../harness/webhook.ts';

const provider = await startProviderProxy();
const sandboxPort = Number(provider.env.SANDBOX_PORT);
afterAll(provider.stop);

describe('a page after a payment', () => {
  /** Stands still: what was asked is not asked again. */
  const clock = Date.now();
  const app = useApp({
    env: webhookEnv(sandboxPort),
    overrides: { ...provider.overrides, now: () => clock },
  });

  test('is shown once the webhook has settled it, without the answer that it asked for', async () => {
    // Events are sent when it is their turn.
    await stripeOf(sandboxPort).webhookEndpoints.update('we_sandbox', { disabled: true });
    const { id } = await sellFile(await signUp(app));
    const buyer = createPerson(app);
    const paid = await payAt(buyer, await checkOut(buyer, id), CARDS.pays);
    stopTimers(WAIT_MS);
    provider.fail('silent');
    const page = buyer.fetch(paid.headers.get('location') ?? '');
    await expect.poll(() => provider.countUnanswered()).toBe(1);
    provider.fail('none');
    await deliverWebhook(app, await findEvent(sandboxPort, 'checkout.session.completed'));
    expect(await (await page).text()).toContain('is now unlocked');
    expect(provider.countUnanswered()).toBe(1);
  });

  test('that asks again is answered once there is news, not before', async () => {
    await stripeOf(sandboxPort).webhookEndpoints.update('we_sandbox', { disabled: true });
    const { id } = await sellFile(await signUp(app));
    const buyer = createPerson(app);
    const checkout = await checkOut(buyer, id);
    const session = new URL(checkout).pathname.split('/').at(-1);
    const key = await publishableKey(app);
    const query = 'query ($session: ID!) { getCheckout(sessionId: $session) { state } }';
    const look = () => graphql(buyer, query, { session }, key);
    expect(await look()).toEqual({ getCheckout: { state: 'open' } });
    stopTimers(WAIT_MS);
    const again = look();
    expect(await Promise.race([again, sleep(200, 'held')])).toBe('held');
    await payAt(buyer, checkout, CARDS.pays);
    await deliverWebhook(app, await findEvent(sandboxPort, 'checkout.session.completed'));
    expect(await again).toEqual({ getCheckout: { state: 'settled' } });
  });
});

/** Those of this length never end: what would come after them has to come without. */
function stopTimers(length: number): void {
  const { setTimeout: start } = globalThis;
  const startOthers = (work: () => void, ms?: number) => start(work, ms === length ? 2 ** 30 : ms);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(startOthers as typeof start);
  onTestFinished(() => spy.mockRestore());
}
