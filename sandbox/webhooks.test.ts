import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { eventually } from '../tests/harness/eventually.ts';
import { startTestSandbox, temporaryFolder } from './testing/start-test-sandbox.ts';

test('an event is delivered again until it is taken', { tags: 'long' }, async () => {
  const { sell, stripe, webhooks, problems } = await startTestSandbox();
  webhooks.answerWith(500);
  await sell();
  await eventually(() => {
    const ids = webhooks.received.map((event) => event.id);
    expect(ids.length).toBeGreaterThan(new Set(ids).size);
  });
  webhooks.answerWith(200);
  await eventually(async () => {
    const { data } = await stripe.events.list();
    expect(data.map((event) => event.pending_webhooks)).toEqual([0, 0, 0, 0]);
  });
  expect(new Set(problems)).toEqual(new Set(['sandbox: a webhook failed and will be tried again']));
});

test('a redirect is not an answer that takes the event', async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  webhooks.answerWith(302);
  await sell();
  await webhooks.arrivalOf('checkout.session.completed');
  const { data } = await stripe.events.list({ type: 'checkout.session.completed' });
  expect(data).toMatchObject([{ pending_webhooks: 1 }]);
});

test('events can be listed by type and retrieved as they were sent', async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  const { session } = await sell();
  const sent = await webhooks.arrivalOf('checkout.session.completed');
  const retrieved = await stripe.events.retrieve(sent.id);
  expect(retrieved.data).toEqual(sent.data);
  const { data } = await stripe.events.list({
    types: ['checkout.session.completed', 'charge.succeeded'],
  });
  expect(data.map((event) => event.type)).toEqual([
    'checkout.session.completed',
    'charge.succeeded',
  ]);
  expect(data[0]?.data.object).toHaveProperty('id', session.id);
});

test('events that the endpoint does not want, or while it is disabled, are listed and never sent', async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  const [endpoint] = (await stripe.webhookEndpoints.list()).data;
  expect(endpoint).toMatchObject({ status: 'enabled', enabled_events: ['*'] });
  const update = (change: Stripe.WebhookEndpointUpdateParams) =>
    stripe.webhookEndpoints.update(endpoint?.id ?? '', change);
  await update({ disabled: true });
  await sell();
  await update({ disabled: false, enabled_events: ['payment_intent.succeeded'] });
  const { intent } = await sell();
  const sent = await webhooks.arrivalOf('payment_intent.succeeded');
  expect(sent.data.object.id).toBe(intent.id);
  expect(webhooks.types()).toEqual(['payment_intent.succeeded']);
  const { data } = await stripe.events.list({ type: 'checkout.session.completed' });
  expect(data).toMatchObject([{ pending_webhooks: 0 }, { pending_webhooks: 0 }]);
});

test('what was not delivered or done when the process was killed happens after it', {
  tags: 'long',
}, async () => {
  const dataDir = temporaryFolder();
  const child = spawn(
    process.execPath,
    [new URL('./testing/sell-and-hang.ts', import.meta.url).pathname, dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [sold] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const { stripe, webhooks } = await startTestSandbox(dataDir);
  const completed = await webhooks.arrivalOf('checkout.session.completed');
  expect(completed.data.object.id).toBe(String(sold).trim());
  await webhooks.arrivalOf('charge.dispute.created');
  expect((await stripe.charges.list()).data).toMatchObject([{ paid: true, disputed: true }]);
});
