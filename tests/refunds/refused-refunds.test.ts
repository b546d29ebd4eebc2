import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import {
  graphql,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { buyOnce, expectBooks, waitUntilIdle } from '../factories/money.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt } from '../factories/payment.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, readJson } from '../harness/person.ts';
import { startReceiver } from '../harness/start-receiver.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const SOLD = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
const REFUND = `mutation ($id: ID!, $asOperator: Boolean) {
  refundSale(purchaseId: $id, reason: "As agreed.", asOperator: $asOperator) {
    refunds { state }
  }
}`;
const TAKE_DOWN = `mutation ($id: ID!) {
  takeDownLink(id: $id, reason: "fraud", words: "It is not what it says.", refundDays: 1)
}`;
const OPERATOR = 'operator@example.com';

const provider = await startProviderProxy();
afterAll(provider.stop);
const sandboxPort = Number(provider.env.SANDBOX_PORT);
const stripe = stripeOf(sandboxPort);

interface Mail {
  to: string;
  subject: string;
  text: string;
}

describeOnSqliteFirst('a refund that is refused after its first answer was lost', (database) => {
  let later = 0;
  const now = () => Date.now() + later;
  const app = useApp({
    database,
    env: {
      ...webhookEnv(sandboxPort),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      OPERATOR_EMAILS: OPERATOR,
    },
    overrides: { ...provider.overrides, now },
  });
  let seller: Awaited<ReturnType<typeof signUp>>;
  let operator: Awaited<ReturnType<typeof signUpOperator>>;

  beforeAll(async () => {
    seller = await signUp(app);
    operator = await signUpOperator(app);
  });
  beforeEach(() => {
    later = 0;
    provider.fail('none');
  });

  async function sell(title: string) {
    const { id } = await sellFile(seller, { price: 1000 });
    await updateLink(seller, { id, title });
    const { payment } = await buyOnce(seller, sandboxPort, id);
    const { listSales } = await graphql<{ listSales: { items: { id: string }[] } }>(
      seller,
      '{ listSales { items { id } } }',
    );
    await settle();
    return { id, payment, purchaseId: listSales.items[0]?.id ?? '' };
  }
  const settle = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort, now));
  /** Asks again, as long after the first time as the job waits. */
  async function askAgain(fault: 'none' | 'refuses refunds' = 'refuses refunds') {
    provider.fail(fault);
    later = 60_000;
    await settle();
  }
  /** Its job is over once the provider has been asked. */
  async function takeDown(id: string, purchaseId: string) {
    await graphql(operator, TAKE_DOWN, { id });
    await eventually(async () => expect(await stateOf(purchaseId)).toHaveLength(1));
    const waiting = () =>
      withDatabase(app, (db) =>
        db
          .selectFrom('job')
          .where('kind', '=', 'refund-taken-down')
          .where('died_at', 'is', null)
          .select('id')
          .execute(),
      );
    await eventually(async () => expect(await waiting()).toEqual([]));
  }
  const stateOf = async (purchaseId: string) =>
    withDatabase(app, (db) =>
      db
        .selectFrom('refund')
        .where('purchase_id', '=', purchaseId)
        .where('requested_by', 'is not', null)
        .select('state')
        .execute(),
    );
  const mailsOf = async (title: string) =>
    (await readJson<Mail[]>(await fetch(`${app.origin}/mailbox.json`)))
      .filter(({ subject }) => subject.endsWith(`refused: ${title}`))
      .map(({ to, subject, text }) => ({ to, subject, text }));

  test('is told to the seller who gave it back, and to their programs', async () => {
    const receiver = await startReceiver();
    try {
      const { createWebhook } = await graphql<{ createWebhook: { webhook: { id: string } } }>(
        seller,
        'mutation ($url: String!) { createWebhook(url: $url) { webhook { id } } }',
        { url: receiver.url },
      );
      const { id, purchaseId } = await sell('Optics');
      provider.fail('down');
      expect(await graphql(seller, REFUND, { id: purchaseId })).toMatchObject({
        refundSale: { refunds: [{ state: 'pending' }] },
      });
      await askAgain();
      expect(await stateOf(purchaseId)).toEqual([{ state: 'failed' }]);
      const [mail, ...others] = await mailsOf('Optics');
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ to: seller.email, subject: 'A refund was refused: Optics' });
      expect(mail?.text).toContain(
        'The payment provider refused the refund of $10.00 for Optics. Nothing was refunded.',
      );
      expect(mail?.text).toContain('/dashboard/sales');
      expect(mail?.text).not.toContain(BUYER_EMAIL);
      await expectBooks(app, id, SOLD);
      await eventually(() =>
        expect(receiver.taken.map(({ body }) => JSON.parse(body).type).slice(-2)).toEqual([
          'sale.created',
          'sale.refund_failed',
        ]),
      );
      const end = 'mutation ($id: ID!) { deleteWebhook(id: $id) }';
      await graphql(seller, end, { id: createWebhook.webhook.id });
    } finally {
      await receiver.stop();
    }
  });

  test('is told to the operator who gave it back', { tags: 'long' }, async () => {
    const { purchaseId } = await sell('Botany');
    provider.fail('down');
    await graphql(operator, REFUND, { id: purchaseId, asOperator: true });
    await askAgain();
    const mails = await mailsOf('Botany');
    expect(mails.map(({ to }) => to)).toEqual([operator.email]);
    expect(mails[0]?.text).toContain(`/operator/purchases?search=${purchaseId}`);
  });

  test('is told to the buyer who gave back what they had bought before', {
    tags: 'long',
  }, async () => {
    const { id } = await sell('Geology');
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id), CARDS.pays);
    await waitUntilUnlocked(buyer, id);
    await settle();
    const receipts = await readJson<Mail[]>(await fetch(`${app.origin}/mailbox.json`));
    const path = receipts.flatMap(({ text }) => text.match(/\/returns\/\S+/g) ?? [])[0] ?? '';
    provider.fail('down');
    expect((await buyer.fetch(path, { method: 'POST' })).status).toBe(303);
    await askAgain();
    const mails = await mailsOf('Geology');
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [BUYER_EMAIL, 'Your refund was refused: Geology'],
    ]);
    expect(mails[0]?.text).toContain('The money was not returned to you.');
    expect(mails[0]?.text).toContain('Your purchase is still yours.');
    expect(mails[0]?.text).toContain('Please contact the operator of this site');
  });

  test.each([
    ['lost', 'down', 'Alchemy'],
    ['a refusal', 'refuses refunds', 'Physics'],
  ] as const)(
    'for a take-down is told to operators and to the buyer, who was promised it; first answer: %s',
    async (_what, fault, title) => {
      const { id, purchaseId } = await sell(title);
      provider.fail(fault);
      await takeDown(id, purchaseId);
      await askAgain();
      const mails = await mailsOf(title);
      expect(mails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
        [OPERATOR, `A refund was refused: ${title}`],
        [BUYER_EMAIL, `Your refund was refused: ${title}`],
      ]);
      for (const { text } of mails) expect(text).not.toContain('still yours');
    },
  );

  test('promises no other payment of what went back by another refund', {
    tags: 'long',
  }, async () => {
    const { id, payment, purchaseId } = await sell('Cosmology');
    provider.fail('down');
    await takeDown(id, purchaseId);
    await stripe.refunds.create({ payment_intent: payment });
    await askAgain('none');
    const mails = await mailsOf('Cosmology');
    expect(mails.map(({ to }) => to)).toEqual([OPERATOR]);
    expect(mails[0]?.text).toContain('nothing is left of the payment to refund');
  });

  test('is told by nobody’s email where the page answers', { tags: 'long' }, async () => {
    const { purchaseId } = await sell('Zoology');
    provider.fail('refuses refunds');
    await expect(graphql(seller, REFUND, { id: purchaseId })).rejects.toThrow(
      'Nothing was refunded',
    );
    await settle();
    expect(await mailsOf('Zoology')).toEqual([]);
  });
});
