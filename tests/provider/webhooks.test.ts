import Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import {
  readBalance,
  seeLink,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import {
  CONNECT_WEBHOOK_SECRET,
  deliverWebhook,
  findEvent,
  letHappen,
  stripeOf,
  THIN_WEBHOOK_SECRET,
  WEBHOOK_SECRET,
  webhookEnv,
} from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const env = webhookEnv(sandboxPort);

describeOnBothDatabases('webhooks', (database) => {
  const app = useApp({ database, env });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  test('50 parallel deliveries of one event make one purchase, entry and grant', async () => {
    const before = await readBalance(seller);
    const { id } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    const event = await findEvent(sandboxPort, 'checkout.session.completed');
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliverWebhook(app, event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await waitUntilUnlocked(buyer, id);
    // 5% and 30 cents of 1000 are the platform's.
    await eventually(async () => expect(await readBalance(seller)).toBe(before + 920));
    const list = await readJson<{ items: unknown[] }>(await buyer.fetch('/storage/list'));
    expect(list.items).toHaveLength(1);
  });

  test('50 different events of one payment make one purchase, entry and grant', async () => {
    const before = await readBalance(seller);
    const { id } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    const event = await findEvent(sandboxPort, 'checkout.session.completed');
    await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        deliverWebhook(app, { ...event, id: `${event.id}_${number}` }),
      ),
    );
    await waitUntilUnlocked(buyer, id);
    await eventually(async () => expect(await readBalance(seller)).toBe(before + 920));
  });

  test('an unpaid checkout is not unlocked by an event that says it is paid', async () => {
    const { id } = await sellFile(seller);
    const visitor = createPerson(app);
    const session = new URL(await checkOut(visitor, id)).pathname.split('/').at(-1);
    const template = await findEvent(sandboxPort, 'checkout.session.completed');
    const forged = structuredClone(template);
    Object.assign(forged, { id: 'evt_made_up' });
    Object.assign(forged.data.object, { id: session, payment_status: 'paid' });
    expect((await deliverWebhook(app, forged)).status).toBe(200);
    // A real payment afterwards shows that the event was handled before the question is asked.
    const other = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, other.id);
    await waitUntilUnlocked(buyer, other.id);
    expect(await seeLink(visitor, id)).toMatchObject({ unlocked: false });
  });

  const signedBy = (secret: string, timestamp?: number) => (payload: string) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) });
  const nowSeconds = () => Math.floor(Date.now() / 1000);

  test.each([
    ['without a signature', () => ''],
    ['with a signature that is no signature', () => 't=1,v1=abc'],
    ['signed by another secret', signedBy('whsec_of_somebody_else')],
    [
      'signed six minutes ago',
      (text: string) => signedBy(WEBHOOK_SECRET, nowSeconds() - 360)(text),
    ],
    [
      'signed a day ago and given a new time beside the signed one',
      (text: string) =>
        `t=${nowSeconds()},${signedBy(WEBHOOK_SECRET, nowSeconds() - 86_400)(text)}`,
    ],
    ['whose body was changed', (text: string) => signedBy(WEBHOOK_SECRET)(`${text} `)],
  ])('a webhook %s is refused', async (_title, sign) => {
    const type = 'checkout.session.completed';
    const data = { object: { id: 'cs_test_refused', object: 'checkout.session' } };
    const event = { id: 'evt_refused', object: 'event', type, livemode: false, data };
    const payload = JSON.stringify(event);
    const response = await fetch(`${app.origin}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': sign(payload) },
      body: payload,
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/signature/i);
  });

  test('a webhook signed by an old secret beside the new one, as while it is rolled, is taken', async () => {
    const payload = JSON.stringify({ id: 'evt_rolled', type: 'nothing.known', livemode: false });
    const old = signedBy('whsec_of_before')(payload);
    const [, current] = signedBy(WEBHOOK_SECRET)(payload).split(',');
    for (const signatures of [`${old},${current}`, old.replace(',', `,${current},`)]) {
      const response = await fetch(`${app.origin}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': signatures },
        body: payload,
      });
      expect(response.status).toBe(200);
    }
  });

  const envelope = { id: 'evt_odd', type: 'checkout.session.completed', livemode: false };
  test.each([
    ['torn', '{"id": "evt_torn", "object": "eve'],
    ['null', 'null'],
    ['a list', '[{"id": "evt_listed"}]'],
    ['a text', '"evt_text"'],
    ['without a type', JSON.stringify({ ...envelope, type: undefined })],
    ['with a type that is none', JSON.stringify({ ...envelope, type: ['charge.refunded'] })],
    ['without an id', JSON.stringify({ ...envelope, id: '' })],
    ['with an id that no database keeps', JSON.stringify({ ...envelope, id: 'evt_\0' })],
    ['without a mode', JSON.stringify({ ...envelope, livemode: undefined })],
    ['thin and without an id', '{"object": "v2.core.event"}'],
  ])('a webhook that is signed and %s is refused', async (_title, payload) => {
    const response = await fetch(`${app.origin}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'stripe-signature': signedBy(WEBHOOK_SECRET)(payload) },
      body: payload,
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('the body is no event');
  });

  test('an event of somebody else on a shared account is taken and changes nothing', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const checkoutUrl = await checkOut(buyer, id);
    const event = structuredClone(await findEvent(sandboxPort, 'checkout.session.completed'));
    Object.assign(event, { id: 'evt_foreign' });
    Object.assign(event.data.object, { id: 'cs_test_foreign', metadata: {} });
    expect((await deliverWebhook(app, event)).status).toBe(200);
    expect((await payAt(buyer, checkoutUrl)).status).toBe(303);
    await waitUntilUnlocked(buyer, id);
  });

  const storedEvent = (id: string) =>
    eventually(() =>
      withDatabase(app, (db) =>
        db
          .selectFrom('webhook_event')
          .select(['type', 'account'])
          .where('id', '=', id)
          .where('handled_at', 'is not', null)
          .executeTakeFirstOrThrow(),
      ),
    );

  test('events of connected accounts and thin ones arrive, each by its own secret, with the account', async () => {
    const stripe = stripeOf(sandboxPort);
    const { id: account } = await stripe.v2.core.accounts.create({
      dashboard: 'express',
      identity: { country: 'us' },
      defaults: {
        responsibilities: { fees_collector: 'application', losses_collector: 'application' },
      },
    });
    await letHappen(sandboxPort, `accounts/${account}/require`);
    const [updated] = (await stripe.events.list({}, { stripeAccount: account })).data;
    const [thin] = (await stripe.v2.core.events.list({ object_id: account })).data;
    for (const { id, type } of [updated, thin].filter((event) => event !== undefined)) {
      expect(await storedEvent(id)).toEqual({ type, account });
    }
    const again = { ...updated, id: `${updated?.id}_again` };
    for (const secret of [CONNECT_WEBHOOK_SECRET, THIN_WEBHOOK_SECRET, WEBHOOK_SECRET]) {
      expect((await deliverWebhook(app, again, 0, secret)).status).toBe(200);
    }
    expect((await deliverWebhook(app, { ...thin }, 0, 'whsec_of_a_stranger')).status).toBe(400);
    expect((await deliverWebhook(app, { ...thin }, 360, THIN_WEBHOOK_SECRET)).status).toBe(400);
  });
});
