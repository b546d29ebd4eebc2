import { sql } from 'kysely';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sellFile, signIn, signUp, updateLink, waitUntilUnlocked } from './factories.ts';
import { eventually } from './harness/eventually.ts';
import { findFreePort } from './harness/free-port.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import { checkOut, payAt } from './payment.ts';
import { createPerson, type Person } from './person.ts';
import { type SpawnedApp, spawnApp } from './spawn-app.ts';
import { stripeOf } from './webhook.ts';
import { withDatabase } from './with-database.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describeOnBothDatabases('one link is paid once by one visitor', (database) => {
  let app: SpawnedApp;
  let seller: Person;
  /** A link that is not bought: its checkout gives a browser its claim. */
  let first: string;

  beforeAll(async () => {
    const env = {
      PAYMENTS: 'sandbox',
      SANDBOX_PORT: String(sandboxPort),
      LOG_LEVEL: 'warn',
    };
    app = await spawnApp({ database, env });
    seller = await signUp(app);
    first = (await sellFile(seller)).id;
  });
  afterAll(async () => {
    await app?.stop();
  });

  async function sessionsOf(link: string): Promise<Stripe.Checkout.Session[]> {
    const { data } = await stripe.checkout.sessions.list({ limit: 100 });
    return data.filter(({ metadata }) => metadata?.link_id === link);
  }

  const openSessionsOf = async (link: string) =>
    (await sessionsOf(link)).filter(({ status }) => status === 'open');

  async function createVisitor(): Promise<Person> {
    const visitor = createPerson(app);
    await checkOut(visitor, first);
    return visitor;
  }

  test('parallel checkouts of one browser end in one session at the provider', async () => {
    const { id } = await sellFile(seller);
    const visitor = await createVisitor();
    const urls = await Promise.all([1, 2, 3, 4, 5].map(() => checkOut(visitor, id)));
    expect(new Set(urls).size).toBe(1);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('parallel checkouts of one account in two browsers end in one session', async () => {
    const { id } = await sellFile(seller);
    const account = await signUp(app);
    const elsewhere = createPerson(app);
    await signIn(elsewhere, account.email);
    const urls = await Promise.all(
      [account, elsewhere, account, elsewhere].map((browser) => checkOut(browser, id)),
    );
    expect(new Set(urls).size).toBe(1);
    expect(await sessionsOf(id)).toHaveLength(1);
    await payAt(elsewhere, urls[0] ?? '');
    await waitUntilUnlocked(elsewhere, id);
    await waitUntilUnlocked(account, id);
  });

  test('a new price ends the checkout at the old one before another begins', async () => {
    const { id } = await sellFile(seller, { price: 500 });
    const visitor = await createVisitor();
    await checkOut(visitor, id);
    await updateLink(seller, { id, price: 900 });
    await checkOut(visitor, id);
    const sessions = await sessionsOf(id);
    expect(sessions.map(({ status, amount_total }) => [amount_total, status]).sort()).toEqual([
      [500, 'expired'],
      [900, 'open'],
    ]);
  });

  test('signing in ends the checkout begun as a guest before another begins', async () => {
    const { id } = await sellFile(seller);
    const account = await signUp(app);
    const browser = await createVisitor();
    await checkOut(browser, id);
    await signIn(browser, account.email);
    await checkOut(browser, id);
    expect(await sessionsOf(id)).toHaveLength(2);
    expect(await openSessionsOf(id)).toMatchObject([{ customer_email: account.email }]);
  });

  /** Two checkouts that one browser can pay, as a race could leave them. */
  async function openTwoCheckouts(id: string) {
    const visitor = await createVisitor();
    const older = await checkOut(visitor, id);
    const { claim_hash } = await withDatabase(app, (db) =>
      db
        .updateTable('purchase')
        .set({ state: 'expired' })
        .where('link_id', '=', id)
        .returning('claim_hash')
        .executeTakeFirstOrThrow(),
    );
    const newer = await checkOut(await createVisitor(), id);
    await withDatabase(app, (db) =>
      db
        .updateTable('purchase')
        .set({ claim_hash })
        .where('link_id', '=', id)
        .where('state', '=', 'open')
        .execute(),
    );
    return { visitor, older, newer };
  }

  test('the database itself refuses a second open checkout, by browser and by account', async () => {
    const { id } = await sellFile(seller);
    await openTwoCheckouts(id);
    await withDatabase(app, async (db) => {
      const purchases = db.updateTable('purchase').where('link_id', '=', id);
      const open = purchases.set({ state: 'open' });
      await expect(open.execute()).rejects.toThrow(/unique/i);
      await purchases.set({ state: 'expired', claim_hash: sql`id`, buyer_id: 'ada' }).execute();
      await expect(open.execute()).rejects.toThrow(/unique/i);
    });
  });

  test('what is paid ends the other checkouts of it at the provider', async () => {
    const { id } = await sellFile(seller);
    const { visitor, older } = await openTwoCheckouts(id);
    expect(await openSessionsOf(id)).toHaveLength(2);
    expect((await payAt(visitor, older)).status).toBe(303);
    await waitUntilUnlocked(visitor, id);
    await eventually(async () => expect(await openSessionsOf(id)).toEqual([]));
  });

  test('two payments all the same are both settled, and the second is told to the operator', async () => {
    const { id } = await sellFile(seller);
    const { visitor, older, newer } = await openTwoCheckouts(id);
    expect((await payAt(visitor, newer)).status).toBe(303);
    await waitUntilUnlocked(visitor, id);
    expect((await payAt(visitor, older)).status).toBe(303);
    await eventually(async () => {
      const purchases = await withDatabase(app, (db) =>
        db
          .selectFrom('purchase')
          .where('link_id', '=', id)
          .where('state', '=', 'settled')
          .orderBy('settled_at')
          .selectAll()
          .execute(),
      );
      expect(purchases).toHaveLength(2);
      const lines = app.output().split('\n');
      const told = lines.filter((line) => line.includes('paid one link twice'));
      expect(told.map((line) => JSON.parse(line))).toMatchObject([
        {
          level: 40,
          link: id,
          purchase: purchases[1]?.id,
          payment: purchases[1]?.payment_intent_id,
          earlierPurchase: purchases[0]?.id,
          earlierPayment: purchases[0]?.payment_intent_id,
        },
      ]);
    });
  });
});
