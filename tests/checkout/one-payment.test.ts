import { sql } from 'kysely';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { runSql } from '../errors/run-sql.ts';
import { checkOutCart, postForm } from '../factories/cart-steps.ts';
import {
  createLink,
  readMail,
  seeLink,
  sellFile,
  signIn,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, createPersonAt, type Person, readJson } from '../harness/person.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describeOnSqliteFirst('one link is paid once by one visitor', (database) => {
  let app: SpawnedApp;
  let seller: Awaited<ReturnType<typeof signUp>>;
  /** A link that is not bought: its checkout gives a browser its claim. */
  let first: string;

  beforeAll(async () => {
    const env = {
      PAYMENTS: 'sandbox',
      SANDBOX_PORT: String(sandboxPort),
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '127.0.0.1',
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

  let visitors = 0;

  /** Each at an address of their own: one address may begin sixty checkouts in a minute. */
  async function createVisitor(): Promise<Person> {
    visitors += 1;
    const visitor = createPersonAt(app, `198.51.100.${visitors}`);
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

  test('two payments all the same are both settled, and the second is refunded by itself', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    const { visitor, older, newer } = await openTwoCheckouts(id);
    const email = `${id}@example.com`;
    expect((await payAt(visitor, newer, CARDS.pays, email)).status).toBe(303);
    await waitUntilUnlocked(visitor, id);
    // As if it had been settled by a process whose clock is ahead.
    await runSql(
      app,
      `update purchase set settled_at = settled_at + 60000 where link_id = '${id}' and state = 'settled'`,
    );
    expect((await payAt(visitor, older, CARDS.pays, email)).status).toBe(303);
    const refundsOf = async (checkoutUrl: string) => {
      const session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
      const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
      return (await stripe.refunds.list({ payment_intent: String(payment_intent) })).data;
    };
    await eventually(async () => {
      expect(await refundsOf(older)).toMatchObject([
        { amount: 1000, reason: 'duplicate', status: 'succeeded' },
      ]);
    });
    expect(await refundsOf(newer)).toEqual([]);
    // One sale stands; what the provider kept of the other is the platform's to bear.
    await expectBooks(app, id, {
      provider: -882,
      platform_fee: 80,
      creator: 920,
      processing_cost: -118,
    });
    expect(await seeLink(visitor, id)).toMatchObject({ unlocked: true });
    const { text } = await readMail(app, email, /^You paid twice/);
    expect(text).toContain('We are refunding the second payment of $10.00.');
    const told = await readMail(app, seller.email, /^A buyer paid twice/);
    expect(told.text).toContain('The second payment of $10.00 is being refunded');
    const mails = await readJson<{ subject: string; to: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    const ofThis = mails.filter(({ subject }) => subject.includes('paid twice'));
    expect(ofThis).toHaveLength(2);
    expect(app.output().match(/paid one link twice/g)).toHaveLength(1);
  });

  test('many pairs of payments at once never wait for each other in a circle', async () => {
    const pairs: Awaited<ReturnType<typeof openTwoCheckouts>>[] = [];
    // A few at once, so that a busy machine opens them all in time; then all are paid at once.
    for (let round = 0; round < (database === 'postgres' ? 4 : 2); round += 1) {
      const opening = [1, 2, 3].map(async () => {
        const url = 'https://example.com/';
        const { id } = await createLink(seller, { type: 'link', url, price: 1000 });
        return openTwoCheckouts(id);
      });
      pairs.push(...(await Promise.all(opening)));
    }
    await Promise.all(
      pairs.flatMap(({ visitor, older, newer }) => [payAt(visitor, older), payAt(visitor, newer)]),
    );
    await expectNoCircle();
    await withDatabase(app, async (db) => {
      const doubles = await db
        .selectFrom('purchase')
        .where('refunded_because', '=', 'double')
        .select('id')
        .execute();
      expect(doubles.length).toBeGreaterThanOrEqual(pairs.length);
    });
  });

  test('carts of two sellers and what is bought of each never wait for each other in a circle', async () => {
    const other = await signUp(app);
    const offer = (from: Person) =>
      createLink(from, { type: 'link', url: 'https://example.com/', price: 1000 });
    const links = [await offer(seller), await offer(other)];
    const visitors = await Promise.all(Array.from({ length: 12 }, createVisitor));
    const checkouts = await Promise.all(
      visitors.map(async (visitor, number) => {
        const single = links[number % 3];
        if (single) return checkOut(visitor, single.id);
        for (const { id } of links) await postForm(visitor, '/cart/add', { paywallId: id });
        return (await checkOutCart(visitor)).headers.get('location') ?? '';
      }),
    );
    await Promise.all(checkouts.map((url, number) => payAt(visitors[number] as Person, url)));
    await expectNoCircle();
  });

  async function expectNoCircle(): Promise<void> {
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
    expect(app.output()).not.toMatch(/deadlock/);
    await withDatabase(app, async (db) => {
      expect(await checkLedger(db)).toEqual([]);
      if (database === 'sqlite') return;
      const { rows } = await sql<{ deadlocks: number }>`
        select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
      expect(Number(rows[0]?.deadlocks)).toBe(0);
    });
  }
});
