import { beforeAll, beforeEach, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import {
  createLink,
  readMail,
  sellFile,
  signIn,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';

const THANKS = 'Thank you for your purchase. Your file is now unlocked and should be downloading.';
/** What no buyer is told whose checkout is not paid. */
const PROMISES = /Payment Successful|now unlocked|downloading/;

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describeOnSqliteFirst('the success page', (database) => {
  const env = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) };
  const app = useApp({ database, env });
  let seller: Person;
  let buyer: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });
  beforeEach(() => {
    buyer = createPerson(app);
  });

  async function buyFile(card = CARDS.pays) {
    const { id } = await sellFile(seller, { price: 1234 });
    const answer = await payAt(buyer, await checkOut(buyer, id), card);
    const success = answer.headers.get('location') ?? '';
    if (card === CARDS.pays) await waitUntilUnlocked(buyer, id);
    return { id, success, session: new URL(success).searchParams.get('session_id') ?? '' };
  }

  /** What strangers are told of every checkout: the same as of one that nobody made. */
  const readInvented = () => readPage(createPerson(app), '/success?session_id=cs_unknown');

  const paymentOf = async (session: string) =>
    String((await stripe.checkout.sessions.retrieve(session)).payment_intent);

  test.each(['/success', '/success?session_id='])(
    'opened as %s has the specified words, and below them how to find a purchase',
    async (path) => {
      for (const person of [buyer, seller]) {
        const words = await readPage(person, path);
        expect(words).toMatch(
          /Payment Successful .*downloading\. Nothing downloading\? Find your purchase by email \. Go to Homepage /,
        );
        expect(words).toContain(THANKS);
        expect(words).not.toContain('Send the link again');
      }
    },
  );

  test('of a settled file has the specified words, product, amount and where the receipt goes', async () => {
    const { success } = await buyFile();
    const words = await readPage(buyer, success);
    for (const text of ['Payment Successful', THANKS, 'notes.pdf', '$12.34', BUYER_EMAIL]) {
      expect(words).toContain(text);
    }
    const buttons = [...words.matchAll(/ (Download|Go to Homepage) /g)].map(([, label]) => label);
    expect(buttons).toEqual(['Download', 'Go to Homepage']);
  });

  test('of a web address has the specified words, and a button that opens it', async () => {
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/' });
    const success = await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const words = await readPage(buyer, success);
    for (const text of ['Payment Successful', THANKS, 'You bought a web address.', BUYER_EMAIL]) {
      expect(words).toContain(text);
    }
    expect(words).toMatch(/ Open what you bought .* Go to Homepage /);
  });

  test('tells the address of the receipt to the browser and the account that paid, to nobody else', async () => {
    const account = await signUp(app);
    buyer = account;
    const { id, success } = await buyFile();
    expect(await readPage(account, success)).toContain(BUYER_EMAIL);
    const elsewhere = createPerson(app);
    await signIn(elsewhere, account.email);
    expect(await readPage(elsewhere, success)).toContain(BUYER_EMAIL);
    for (const other of [createPerson(app), seller, await signUp(app)]) {
      const response = await other.fetch(success);
      expect(await response.text()).not.toContain(BUYER_EMAIL);
    }
    // Whoever was given the personal link holds the purchase, but the address is not theirs.
    const { text } = await readMail(app, BUYER_EMAIL, new RegExp(id));
    const [personal = ''] = /\/access\/\S+/.exec(text) ?? [];
    const friend = createPerson(app);
    await friend.fetch(personal, { method: 'POST' });
    const words = await readPage(friend, success);
    expect(words).toContain(THANKS);
    expect(words).not.toContain(BUYER_EMAIL);
  });

  test('leads whose payment failed to /failed, which leads back to the link', {
    tags: 'long',
  }, async () => {
    const { id, success } = await buyFile(CARDS.failsLater);
    await eventually(async () => {
      const answer = await buyer.fetch(success, { redirect: 'manual' });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(`/failed?link=${id}`);
    });
    const words = await readPage(buyer, `/failed?link=${id}`);
    for (const text of ['Unfortunately, your payment did not go through.', 'Back to the link']) {
      expect(words).toContain(text);
    }
    expect(await readPage(createPerson(app), success)).toBe(await readInvented());
  });

  test('of an expired checkout, of whose link nothing may be told any more, names no way back', async () => {
    const { id } = await sellFile(seller);
    const session = new URL(await checkOut(buyer, id)).pathname.split('/').at(-1) ?? '';
    await stripe.checkout.sessions.expire(session);
    const success = `/success?session_id=${session}`;
    await eventually(async () => {
      expect(await readPage(buyer, success)).toContain('Back to the link');
    });
    await runSql(app, `UPDATE link SET taken_down_at = 1 WHERE id = '${id}'`);
    expect(await readPage(buyer, success)).toContain('Checkout expired');
    expect(await readPage(buyer, success)).not.toContain('Back to the link');
  });

  test('of a purchase made elsewhere has the specified words and offers to send its link again, without a word of it', async () => {
    const { success } = await buyFile();
    const words = await readPage(createPerson(app), success);
    for (const text of ['Payment Successful', THANKS, 'Send the link again', 'Go to Homepage']) {
      expect(words).toContain(text);
    }
    expect(words).not.toMatch(/12\.34|notes\.pdf/);
    expect(await readInvented()).toBe(words);
  });

  test('of a refunded purchase says that it has ended', async () => {
    const { success, session } = await buyFile();
    await stripe.refunds.create({ payment_intent: await paymentOf(session) });
    await eventually(async () => {
      expect(await readPage(buyer, success)).toContain('Purchase ended');
    });
    const words = await readPage(buyer, success);
    expect(words).toContain('Your payment was returned, so your access has ended.');
    expect(words).not.toMatch(PROMISES);
    expect(await readPage(createPerson(app), success)).toBe(await readInvented());
  });

  test('of a disputed purchase says that access rests', { tags: 'long' }, async () => {
    const { success } = await buyFile(CARDS.isDisputed);
    await eventually(async () => {
      expect(await readPage(buyer, success)).toContain('Purchase on hold');
    });
    const words = await readPage(buyer, success);
    expect(words).toContain('Your access is on hold while your bank reviews the dispute.');
    expect(words).not.toMatch(PROMISES);
    expect(await readPage(createPerson(app), success)).toBe(await readInvented());
  });

  test('of a checkout that ended unpaid says so', async () => {
    const { id } = await sellFile(seller);
    const session = new URL(await checkOut(buyer, id)).pathname.split('/').at(-1) ?? '';
    const success = `/success?session_id=${session}`;
    const confirming = await readPage(buyer, success);
    expect(confirming).toContain('Confirming your payment');
    expect(confirming).not.toMatch(PROMISES);
    expect(await readPage(createPerson(app), success)).toBe(await readInvented());
    await stripe.checkout.sessions.expire(session);
    await eventually(async () => {
      expect(await readPage(buyer, success)).toContain('Checkout expired');
    });
    const words = await readPage(buyer, success);
    expect(words).toContain('Nothing was charged.');
    expect(words).toContain('Go to Homepage');
    expect(words).not.toMatch(PROMISES);
    expect(await readPage(createPerson(app), success)).toBe(await readInvented());
  });

  test('of what was taken down since says below the specified words that it is not available', async () => {
    const { id, success } = await buyFile();
    await runSql(app, `UPDATE link SET taken_down_at = 1 WHERE id = '${id}'`);
    const words = await readPage(buyer, success);
    for (const text of [THANKS, 'What you bought is not available at the moment.']) {
      expect(words).toContain(text);
    }
    expect(words).not.toContain('Download');
  });
});
