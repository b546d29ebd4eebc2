import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import {
  graphql,
  PASSWORD,
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks } from '../factories/money.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { startQuietProvider } from '../harness/quiet-provider.ts';
import { readPage } from '../harness/read-page.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describeOnSqliteFirst(
  'a buyer who pays and does not come back, and an event that never comes',
  (database) => {
    let provider: Awaited<ReturnType<typeof startQuietProvider>>;
    let app: App;
    let seller: Person;
    let ahead = 0;

    beforeAll(async () => {
      provider = await startQuietProvider();
      const overrides = { ...provider.overrides, now: () => Date.now() + ahead };
      app = await startApp({ database, overrides });
      seller = await signUp(app);
    });
    afterAll(async () => {
      await app?.stop();
      await provider?.stop();
    });

    async function pay(buyer: Person, checkoutUrl: string): Promise<void> {
      expect((await payAt(buyer, checkoutUrl)).status).toBe(303);
    }

    const sessionOf = (checkoutUrl: string) =>
      new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';

    const jobsOf = (link: string) =>
      withDatabase(app, (db) =>
        db
          .selectFrom('job')
          .innerJoin('purchase', (join) =>
            join.on('job.payload', 'like', (eb) =>
              eb.fn('replace', [eb.val('%PURCHASE%'), eb.val('PURCHASE'), 'purchase.id']),
            ),
          )
          .where('purchase.link_id', '=', link)
          .where('job.kind', '=', 'follow-checkout')
          .select('job.run_at')
          .execute(),
      );

    test('are asked after five minutes later', { tags: 'long' }, async () => {
      const { id } = await sellFile(seller);
      const buyer = createPerson(app);
      await pay(buyer, await checkOut(buyer, id));
      ahead += 6 * MINUTE_MS;
      await waitUntilUnlocked(buyer, id);
    });

    test('are asked after although the answer that named the session was lost', {
      tags: 'long',
    }, async () => {
      const { id } = await sellFile(seller);
      const buyer = createPerson(app);
      await pay(buyer, await checkOut(buyer, id));
      await runSql(
        app,
        `delete from payment where id in (select payment_id from purchase where link_id = '${id}')`,
      );
      ahead += 6 * MINUTE_MS;
      await waitUntilUnlocked(buyer, id);
    });

    test('are asked after again once the session has expired', { tags: 'long' }, async () => {
      const { id } = await sellFile(seller);
      const buyer = createPerson(app);
      const begunAt = Date.now() + ahead;
      const checkoutUrl = await checkOut(buyer, id);
      ahead += 6 * MINUTE_MS;
      await eventually(async () => {
        const [job] = await jobsOf(id);
        expect(job?.run_at).toBeGreaterThan(begunAt + 30 * MINUTE_MS);
      });
      await pay(buyer, checkoutUrl);
      ahead += 31 * MINUTE_MS;
      await waitUntilUnlocked(buyer, id);
    });

    test('are told that the delayed payment failed, although its one event was lost', async () => {
      const { id } = await sellFile(seller);
      const buyer = createPerson(app);
      const checkoutUrl = await checkOut(buyer, id);
      const session = sessionOf(checkoutUrl);
      const goOn = stopClock();
      await payAt(buyer, checkoutUrl, CARDS.failsLater, 'delayed@example.com');
      expect(await readPage(buyer, `/success?session_id=${session}`)).toContain('being processed');
      goOn();
      const stripe = stripeOf(provider.port);
      await eventually(async () => {
        const expand = ['payment_intent'];
        const { payment_intent } = await stripe.checkout.sessions.retrieve(session, { expand });
        expect(payment_intent).toMatchObject({ status: 'requires_payment_method' });
      });
      ahead += 6 * MINUTE_MS;
      await readMail(app, 'delayed@example.com', /did not go through/);
      expect(await readPage(buyer, `/p/${id}`)).toContain('Your payment did not go through.');
      expect(await jobsOf(id)).toEqual([]);
    });

    const remove = (person: Person, id: string) =>
      graphql(person, 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }', {
        id,
      });

    test.each<[string, (id: string) => Promise<unknown>]>([
      ['gets another price', (id) => updateLink(seller, { id, price: 900 })],
      ['is paused', (id) => updateLink(seller, { id, paused: true })],
      ['is made free', (id) => updateLink(seller, { id, unlocked: true })],
      ['is deleted', (id) => remove(seller, id)],
    ])('end at the provider when their link %s, and a faster payment stands', async (_, change) => {
      ahead = 0;
      const { id } = await sellFile(seller, { price: 500 });
      const faster = createPerson(app);
      await pay(faster, await checkOut(faster, id));
      const session = sessionOf(await checkOut(createPerson(app), id));
      const unchanged = sessionOf(await checkOut(createPerson(app), (await sellFile(seller)).id));
      await change(id);
      const { sessions } = stripeOf(provider.port).checkout;
      await eventually(async () => {
        expect(await sessions.retrieve(session)).toMatchObject({ status: 'expired' });
      });
      expect(await sessions.retrieve(unchanged)).toMatchObject({ status: 'open' });
      const purchases = () =>
        withDatabase(app, (db) =>
          db
            .selectFrom('purchase')
            .where('link_id', '=', id)
            .orderBy('state')
            .select(['state', 'price_cents', 'refunded_because'])
            .execute(),
        );
      const offered = { price_cents: 500, refunded_because: null };
      await eventually(async () => {
        expect(await purchases()).toEqual([
          { ...offered, state: 'expired' },
          { ...offered, state: 'settled' },
        ]);
      });
    });

    test('end when their seller leaves, and a faster payment goes back', async () => {
      ahead = 0;
      const leaving = await signUp(app);
      const { id } = await sellFile(leaving, { price: 1000 });
      const faster = createPerson(app);
      const checkoutUrl = await checkOut(faster, id);
      const session = sessionOf(await checkOut(createPerson(app), id));
      await payAt(faster, checkoutUrl, CARDS.pays, 'faster@example.com');
      await readJson(
        await postJson(leaving, '/api/auth/delete-user', {
          confirmation: leaving.email,
          password: PASSWORD,
        }),
      );
      const { text } = await readMail(app, 'faster@example.com', /is being refunded/);
      expect(text).toContain('We are refunding your payment of $10.00.');
      const stripe = stripeOf(provider.port);
      expect(await stripe.checkout.sessions.retrieve(session)).toMatchObject({ status: 'expired' });
      const { payment_intent } = await stripe.checkout.sessions.retrieve(sessionOf(checkoutUrl));
      await eventually(async () => {
        const { data } = await stripe.refunds.list({ payment_intent: String(payment_intent) });
        expect(data).toMatchObject([{ amount: 1000, reason: 'requested_by_customer' }]);
      });
      const books = { provider: 59, platform_fee: 0, creator: 0, processing_cost: -59 };
      await expectBooks(app, id, books);
      expect(await seeLink(faster, id)).toBeNull();
    });

    test('are asked after no more when a day has passed and nothing was paid, and have ended', {
      tags: 'long',
    }, async () => {
      const { id } = await sellFile(seller);
      await checkOut(createPerson(app), id);
      const unknown = await sellFile(seller);
      await checkOut(createPerson(app), unknown.id);
      await runSql(
        app,
        `update payment set session_id = 'cs_unknown'
         where id = (select payment_id from purchase where link_id = '${unknown.id}')`,
      );
      expect(await jobsOf(id)).toHaveLength(1);
      ahead += DAY_MS + MINUTE_MS;
      await eventually(async () => {
        expect([...(await jobsOf(id)), ...(await jobsOf(unknown.id))]).toEqual([]);
      });
      const [purchase] = await withDatabase(app, (db) =>
        db.selectFrom('purchase').where('link_id', '=', unknown.id).select('state').execute(),
      );
      expect(purchase).toEqual({ state: 'expired' });
    });
  },
);
