import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  graphql,
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilHandled, waitUntilIdle } from '../factories/money.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { startReceiver } from '../harness/start-receiver.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, findEvent, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const REFUND_FAILS = '4000 0000 0000 5126';
const SOLD = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
const REFUND = `mutation ($id: ID!, $amount: Int) {
  refundSale(purchaseId: $id, amount: $amount, reason: "As agreed.") { id }
}`;

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describeOnBothDatabases('a refund that fails later', (database) => {
  const app = useApp({
    database,
    env: { ...webhookEnv(sandboxPort), WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  let seller: Awaited<ReturnType<typeof signUp>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  beforeAll(async () => {
    seller = await signUp(app);
    receiver = await startReceiver();
    await graphql(seller, 'mutation ($url: String!) { createWebhook(url: $url) { secret } }', {
      url: receiver.url,
    });
  });
  afterAll(() => receiver?.stop());

  async function sell(): Promise<Sale> {
    const { id } = await sellFile(seller, { price: 1000 });
    await updateLink(seller, { id, title: 'Optics' });
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const buyer = createPerson(app);
    const paid = await payAt(buyer, await checkOut(buyer, id), REFUND_FAILS, email);
    const success = new URL(paid.headers.get('location') ?? '');
    await waitUntilUnlocked(buyer, id);
    const session = success.searchParams.get('session_id') ?? '';
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    const { listSales } = await graphql<{ listSales: { items: { id: string }[] } }>(
      seller,
      '{ listSales { items { id } } }',
    );
    const purchaseId = listSales.items[0]?.id ?? '';
    return { id, email, buyer, purchaseId, payment: String(payment_intent) };
  }
  const settle = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
  const subjectsTo = async (email: string) =>
    (
      await readJson<{ to: string; subject: string }[]>(await fetch(`${app.origin}/mailbox.json`))
    ).flatMap(({ to, subject }) => (to === email ? subject : []));
  const FAILED = 'Your refund did not arrive: Optics';
  const countFailed = async (email: string) =>
    (await subjectsTo(email)).filter((subject) => subject === FAILED).length;
  const toldOf = (id: string) =>
    receiver.taken
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.sale?.linkId === id)
      .map(({ type, data }) => [type, data.refund?.amount]);

  test('is told to buyer, seller and their programs, with what it means', async () => {
    const { id, email, buyer, purchaseId } = await sell();
    const goOn = stopClock();
    await graphql(seller, REFUND, { id: purchaseId });
    await eventually(async () =>
      expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false }),
    );
    await readMail(app, email, /^Your refund: Optics$/);
    expect(await countFailed(email)).toBe(0);
    goOn();
    await waitUntilUnlocked(buyer, id);
    const mail = await readMail(app, email, /^Your refund did not arrive: Optics$/);
    expect(mail.text).toContain('Your bank did not accept the refund of $10.00 for Optics');
    expect(mail.text).toContain('Your purchase is still yours.');
    expect(mail.text).toContain(`/p/${id}`);
    expect(mail.text).toContain('Please contact the operator of this site');
    const told = await readMail(app, seller.email, /^A refund failed: Optics$/);
    expect(told.text).toContain('Your share of it is back in your balance. The buyer has access.');
    expect(told.text).not.toContain(email);
    await expectBooks(app, id, SOLD);
    // However often the provider says so.
    await deliverWebhook(app, await findEvent(sandboxPort, 'refund.failed'));
    await settle();
    expect(await countFailed(email)).toBe(1);
    await eventually(() =>
      expect(toldOf(id)).toEqual([
        ['sale.created', undefined],
        ['sale.refunded', 1000],
        ['sale.refund_failed', 1000],
      ]),
    );
  });

  test('and was made at the provider is told as well', async () => {
    const { id, email, buyer, payment } = await sell();
    const goOn = stopClock();
    await stripe.refunds.create({ payment_intent: payment, amount: 333 });
    await expectBooks(app, id, { ...SOLD, provider: -608, platform_fee: 53, creator: 614 });
    goOn();
    await expectBooks(app, id, SOLD);
    const mail = await readMail(app, email, /^Your refund did not arrive: Optics$/);
    expect(mail.text).toContain('the refund of $3.33 for Optics');
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
  });

  test.each([
    ['before its first answer was known', 'requested'],
    ['and is first seen as failed', null],
  ] as const)('%s is told as well', async (_when, known) => {
    const { id, email, buyer, payment, purchaseId } = await sell();
    const { id: refundId } = await stripe.refunds.create({ payment_intent: payment });
    await readMail(app, email, /^Your refund did not arrive: Optics$/);
    // Whoever asks may see it fail before the provider tells of it.
    const event = await eventually(async () => {
      const newest = await findEvent(sandboxPort, 'refund.failed');
      expect(newest.data.object).toMatchObject({ id: refundId });
      return newest;
    });
    await settle();
    // As a server knows it that was away for as long.
    await withDatabase(app, (db) =>
      db.transaction().execute(async (trx) => {
        // As whoever looks at the payment does: one that is under way looks again.
        await trx
          .updateTable('access_grant')
          .set(({ eb }) => ({ updated_at: eb('updated_at', '+', 1) }))
          .where('purchase_id', '=', purchaseId)
          .execute();
        if (known) {
          const ours = trx.updateTable('refund').where('id', '=', refundId);
          await ours.set({ state: known }).execute();
        } else await trx.deleteFrom('refund').where('id', '=', refundId).execute();
      }),
    );
    // As the provider does, until it is taken.
    await eventually(async () => {
      const again = await deliverWebhook(app, { ...event, id: `${event.id}_again` });
      expect(again.status).toBe(200);
    });
    await waitUntilHandled(app);
    await settle();
    expect(await countFailed(email)).toBe(2);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
    await expectBooks(app, id, SOLD);
  });

  test('promises no access to what was taken down meanwhile', async () => {
    const { id, email, purchaseId } = await sell();
    const goOn = stopClock();
    await graphql(seller, REFUND, { id: purchaseId });
    await readMail(app, email, /^Your refund: Optics$/);
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', id).execute(),
    );
    goOn();
    const mail = await readMail(app, email, /^Your refund did not arrive: Optics$/);
    expect(mail.text).not.toContain('as before');
    expect(mail.text).not.toContain(`/p/${id}`);
  });
});

interface Sale {
  id: string;
  email: string;
  buyer: Person;
  purchaseId: string;
  payment: string;
}
