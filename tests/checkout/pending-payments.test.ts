import { beforeAll, beforeEach, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import {
  askGraphql,
  publishableKey,
  sellFile,
  signIn,
  signUp,
  updateLink,
} from '../factories/factories.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';

const UNDER_WAY = 'Your payment is being processed; we will e-mail you.';
const FAILED = 'Your payment did not go through. Nothing was charged.';
const BUTTON = /Unlock Now|Unlocking/;

describeOnSqliteFirst('a payment that takes its time', (database) => {
  let later = 0;
  const app = useApp({ database, overrides: { now: () => Date.now() + later } });
  let seller: Person;
  let id: string;

  beforeAll(async () => {
    seller = await signUp(app);
  });
  beforeEach(async () => {
    later = 0;
    id = (await sellFile(seller, { price: 1234 })).id;
    await updateLink(seller, { id, title: 'Algebra in a week' });
  });

  /** Leaves the person's payment under way: the sandbox would decide it within seconds. */
  async function leaveUnderWay(person: Person): Promise<string> {
    const session = new URL(await checkOut(person, id)).pathname.split('/').at(-1) ?? '';
    await runSql(
      app,
      `UPDATE purchase SET state = 'processing', buyer_email = '${BUYER_EMAIL}'
       WHERE payment_id = (SELECT id FROM payment WHERE session_id = '${session}')`,
    );
    return session;
  }

  test('is told on the page of the link with product and amount, and cannot be made twice', async () => {
    const buyer = createPerson(app);
    await leaveUnderWay(buyer);
    await updateLink(seller, { id, price: 9900 });
    const words = await readPage(buyer, `/p/${id}`);
    expect(words).toContain(UNDER_WAY);
    expect(words).toContain('Algebra in a week');
    expect(words).toContain('$12.34');
    expect(words).not.toContain('$99.00');
    expect(words).not.toMatch(BUTTON);
    expect(await readPage(createPerson(app), `/p/${id}`)).toContain('Unlock Now');
    expect(await checkOut(buyer, id)).toContain('/success?session_id=');
  });

  test('is told on a paused link as well, and wherever the account is signed in', async () => {
    const buyer = await signUp(app);
    await leaveUnderWay(buyer);
    await updateLink(seller, { id, paused: true });
    const elsewhere = createPerson(app);
    await signIn(elsewhere, buyer.email);
    for (const person of [buyer, elsewhere]) {
      expect(await readPage(person, `/p/${id}`)).toContain(UNDER_WAY);
    }
    expect(await readPage(createPerson(app), `/p/${id}`)).toContain('The seller has paused');
  });

  test('and failed is told so, and may be made again', { tags: 'long' }, async () => {
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id), CARDS.failsLater);
    await eventually(async () => {
      expect(await readPage(buyer, `/p/${id}`)).toContain(FAILED);
    });
    expect(await readPage(buyer, `/p/${id}`)).toMatch(BUTTON);
    expect(await readPage(createPerson(app), `/p/${id}`)).not.toContain(FAILED);
    await checkOut(buyer, id);
    expect(await readPage(buyer, `/p/${id}`)).not.toContain(FAILED);
  });

  test('and failed is no longer spoken of a day after its checkout', { tags: 'long' }, async () => {
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id), CARDS.failsLater);
    await eventually(async () => {
      expect(await readPage(buyer, `/p/${id}`)).toContain(FAILED);
    });
    const day = 24 * 60 * 60 * 1000;
    later = day - 10 * 60_000;
    expect(await readPage(buyer, `/p/${id}`)).toContain(FAILED);
    later = 2 * day;
    const words = await readPage(buyer, `/p/${id}`);
    expect(words).not.toContain(FAILED);
    expect(words).toMatch(BUTTON);
  });

  test('is named on the success page with product, amount and address, to its buyer alone', async () => {
    const buyer = createPerson(app);
    const session = await leaveUnderWay(buyer);
    const success = `/success?session_id=${session}`;
    const words = await readPage(buyer, success);
    for (const word of [UNDER_WAY, 'Algebra in a week', '$12.34', BUYER_EMAIL, 'Go to Homepage']) {
      expect(words).toContain(word);
    }
    const stranger = createPerson(app);
    const told = await readPage(stranger, success);
    for (const word of [UNDER_WAY, 'Algebra in a week', BUYER_EMAIL]) {
      expect(told).not.toContain(word);
    }
    const query = `query ($link: ID!, $session: ID!) {
      getPaywallLink(id: $link) { checkout { state email } }
      getCheckout(sessionId: $session) { mine price email link { id } }
    }`;
    const key = await publishableKey(app);
    expect(await askGraphql(stranger, query, { link: id, session }, key)).toEqual({
      data: {
        getPaywallLink: { checkout: null },
        getCheckout: { mine: false, price: null, email: null, link: null },
      },
    });
  });
});
