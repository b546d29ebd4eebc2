import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sellFile, signIn, signUp } from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';

const LEFT = 'You did not finish the checkout. Nothing was charged.';
const LOCKED = 'This content is locked behind a paywall.';
const HOUR_MS = 60 * 60 * 1000;

const sandboxPort = await findFreePort();

describeOnSqliteFirst('a checkout that is left', (database) => {
  let later = 0;
  const env = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) };
  const app = useApp({ database, env, overrides: { now: () => Date.now() + later } });
  let seller: Person;
  let id: string;

  beforeAll(async () => {
    seller = await signUp(app);
  });
  beforeEach(async () => {
    later = 0;
    id = (await sellFile(seller)).id;
  });

  /** Once the provider was heard, which a page waits for only so long. */
  const expectWords = (person: Person, words: string) =>
    eventually(async () => expect(await readPage(person, `/p/${id}`)).toContain(words));

  const sessionOf = (checkout: string) => new URL(checkout).pathname.split('/').at(-1) ?? '';

  test('leads back to the plain address of the link', async () => {
    const checkout = await checkOut(createPerson(app), id);
    const session = await stripeOf(sandboxPort).checkout.sessions.retrieve(sessionOf(checkout));
    expect(session.cancel_url).toBe(`${app.origin}/p/${id}`);
  });

  test('is told on the page of the link to who left it, again when it is loaded again', async () => {
    const visitor = createPerson(app);
    expect(await readPage(visitor, `/p/${id}`)).not.toContain(LEFT);
    await payAt(visitor, await checkOut(visitor, id), CARDS.declines);
    for (const _load of [1, 2]) {
      for (const words of [LEFT, LOCKED, 'Unlock Now']) await expectWords(visitor, words);
    }
  });

  test('is told in whatever browser its account is signed in, and to nobody else', {
    tags: 'long',
  }, async () => {
    const account = await signUp(app);
    await checkOut(account, id);
    const elsewhere = createPerson(app);
    await signIn(elsewhere, account.email);
    const other = createPerson(app);
    await checkOut(other, (await sellFile(seller)).id);
    await expectWords(account, LEFT);
    await expectWords(elsewhere, LEFT);
    for (const nobody of [createPerson(app), other, seller]) {
      for (const path of [`/p/${id}`, `/p/${id}?left`, `/p/${id}?openCheckout=true`]) {
        expect(await readPage(nobody, path)).not.toContain(LEFT);
      }
    }
  });

  test('but was paid meanwhile is unlocked, whatever page it is come back to', async () => {
    const visitor = createPerson(app);
    await payAt(visitor, await checkOut(visitor, id));
    await expectWords(visitor, 'This content is unlocked for you.');
    expect(await readPage(visitor, `/p/${id}`)).not.toContain(LEFT);
  });

  test('is no longer spoken of once it can no longer be paid', async () => {
    const visitor = createPerson(app);
    await checkOut(visitor, id);
    await expectWords(visitor, LEFT);
    later = HOUR_MS;
    const words = await readPage(visitor, `/p/${id}`);
    expect(words).not.toContain(LEFT);
    expect(words).toContain(LOCKED);
  });
});
