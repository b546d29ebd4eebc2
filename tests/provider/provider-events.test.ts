import { beforeAll, expect, test } from 'vitest';
import { findRefundedCents } from '../../server/books/ledger/record-refund.ts';
import {
  graphql,
  publishableKey,
  seeLink,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const env = webhookEnv(sandboxPort);
const stripe = stripeOf(sandboxPort);

describeOnSqliteFirst('what the provider reports after a payment', (database) => {
  const app = useApp({ database, env });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  async function buy(card: string) {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const answer = await payAt(buyer, await checkOut(buyer, id), card);
    const session = new URL(answer.headers.get('location') ?? '').searchParams.get('session_id');
    return { buyer, id, session: session ?? '' };
  }

  async function paymentOf(session: string): Promise<string> {
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    return String(payment_intent);
  }

  async function stateOf(buyer: Person, session: string): Promise<string> {
    const { getCheckout } = await graphql<{ getCheckout: { state: string } }>(
      buyer,
      'query ($id: ID!) { getCheckout(sessionId: $id) { state } }',
      { id: session },
      await publishableKey(app),
    );
    return getCheckout.state;
  }

  /** Cents that the books say went back to buyers of the link. */
  const readRefunded = (id: string) =>
    withDatabase(app, async (db) => {
      const purchase = await db
        .selectFrom('purchase')
        .where('link_id', '=', id)
        .select('id')
        .executeTakeFirstOrThrow();
      return findRefundedCents(db, purchase.id);
    });

  const waitUntilLocked = (buyer: Person, id: string) =>
    eventually(async () => expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false }));

  test('a part refund leaves the content, a full one ends it', async () => {
    const { buyer, id, session } = await buy(CARDS.pays);
    await waitUntilUnlocked(buyer, id);
    const payment_intent = await paymentOf(session);
    await stripe.refunds.create({ payment_intent, amount: 499 });
    await eventually(async () => expect(await readRefunded(id)).toBe(499));
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
    await stripe.refunds.create({ payment_intent });
    await waitUntilLocked(buyer, id);
  });

  test('a payment that settles later unlocks later, and is said to be processed until then', {
    tags: 'long',
  }, async () => {
    const goOn = stopClock();
    const { buyer, id, session } = await buy('4000 0000 0000 8888');
    const words = await readPage(buyer, `/success?session_id=${session}`);
    expect(words).toContain('Your payment is being processed; we will e-mail you.');
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    goOn();
    await waitUntilUnlocked(buyer, id);
    expect(await stateOf(buyer, session)).toBe('settled');
  });

  test('a delayed payment that fails unlocks nothing and may be tried again', {
    tags: 'long',
  }, async () => {
    const goOn = stopClock();
    const { buyer, id, session } = await buy('4000 0000 0000 8880');
    await eventually(async () => expect(await stateOf(buyer, session)).toBe('processing'));
    expect(await checkOut(buyer, id)).toMatch(/\/success\?session_id=/);
    goOn();
    await eventually(async () => expect(await stateOf(buyer, session)).toBe('failed'));
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    const answer = await payAt(buyer, await checkOut(buyer, id));
    expect(answer.status).toBe(303);
    await waitUntilUnlocked(buyer, id);
  });

  test('events of another product on the same account are ignored, not kept as faults', async () => {
    const foreign = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: 700, product_data: { name: 'Other' } },
        },
      ],
      success_url: 'https://example.com/',
    });
    for (const [number, id] of [foreign.id, 'cs_test_unknown'].entries()) {
      const event = {
        id: `evt_foreign_${number}`,
        object: 'event',
        type: 'checkout.session.completed',
        livemode: false,
        data: { object: { id, object: 'checkout.session' } },
      };
      expect((await deliverWebhook(app, event)).status).toBe(200);
    }
    await withDatabase(app, (db) =>
      eventually(async () => {
        const events = await db
          .selectFrom('webhook_event')
          .where('id', 'like', 'evt_foreign_%')
          .selectAll()
          .execute();
        expect(events.map(({ handled_at }) => handled_at !== null)).toEqual([true, true]);
      }),
    );
  });
});
