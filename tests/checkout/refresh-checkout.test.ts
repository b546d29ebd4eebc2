import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { REFRESH_EVERY_MS } from '../../server/selling/checkout/refresh-checkout.ts';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  graphql,
  publishableKey,
  sellFile,
  signIn,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payFor } from '../factories/payment.ts';
import { createSecretKey, programWith, SERVICE_KEY } from '../factories/secret-key.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const provider = await startProviderProxy();
afterAll(provider.stop);

describe('what became of a checkout', () => {
  let clock: number | undefined;
  const app = useApp({
    env: { ...provider.env, SERVICE_KEY },
    overrides: { ...provider.overrides, now: () => clock ?? Date.now() },
  });
  let seller: Awaited<ReturnType<typeof signUp>>;
  let id: string;

  beforeAll(async () => {
    seller = await signUp(app);
  });
  beforeEach(async () => {
    clock = undefined;
    id = (await sellFile(seller)).id;
  });

  /** The sessions that the provider was asked for since this was last called. */
  const takeAsked = () =>
    provider
      .takeRequests()
      .flatMap((request) => /^GET \/v1\/checkout\/sessions\/(\w+)\?/.exec(request)?.[1] ?? []);

  const isOf = (session: string) =>
    `payment_id = (select id from payment where session_id = '${session}')`;

  async function begin(person: Person): Promise<string> {
    const session = new URL(await checkOut(person, id)).pathname.split('/').at(-1) ?? '';
    takeAsked();
    return session;
  }

  async function look(person: Person, sessions: string[]): Promise<void> {
    const fields = sessions.map(
      (session, number) => `c${number}: getCheckout(sessionId: "${session}") { state }`,
    );
    await graphql(person, `{ ${fields.join(' ')} }`, {}, await publishableKey(app));
  }

  async function openPages(person: Person, session: string): Promise<void> {
    for (const path of [`/success?session_id=${session}`, `/p/${id}`]) await person.fetch(path);
  }

  test('is asked of the provider for whoever began it, and for nobody else', async () => {
    const buyer = await signUp(app);
    const session = await begin(buyer);
    const otherVisitor = createPerson(app);
    await checkOut(otherVisitor, (await sellFile(seller)).id);
    const key = async (person: Person) => (await createSecretKey(person)).secret;
    takeAsked();
    for (const other of [createPerson(app), otherVisitor, seller, await signUp(app)]) {
      await look(other, [session]);
      await openPages(other, session);
    }
    for (const secret of [await key(seller), await key(buyer), SERVICE_KEY]) {
      await programWith(app, secret).fetch(`/success?session_id=${session}`);
    }
    expect(takeAsked()).toEqual([]);

    const elsewhere = createPerson(app);
    await signIn(elsewhere, buyer.email);
    const browser = createPerson(app);
    browser.cookies.set('padlink_claim', buyer.cookies.get('padlink_claim') ?? '');
    clock = Date.now();
    for (const own of [elsewhere, browser]) {
      clock += REFRESH_EVERY_MS;
      await look(own, [session]);
      expect(takeAsked()).toEqual([session]);
    }
  });

  test('is asked once in two seconds, however often and in whatever way it is looked at', async () => {
    const buyer = createPerson(app);
    const session = await begin(buyer);
    clock = Date.now();
    const fifteen = Array.from({ length: 15 }, () => session);
    await Promise.all([
      ...Array.from({ length: 10 }, () => look(buyer, fifteen)),
      openPages(buyer, session),
    ]);
    expect(takeAsked()).toEqual([session]);
    clock += 1_999;
    await look(buyer, fifteen);
    expect(takeAsked()).toEqual([]);
    clock += 1;
    await look(buyer, fifteen);
    expect(takeAsked()).toEqual([session]);
    // A clock that is set back makes nobody wait for the time it was set back by.
    clock -= 3_600_000;
    await look(buyer, fifteen);
    expect(takeAsked()).toEqual([session]);
  });

  test('is asked while it may still be paid, and no more when it is decided', async () => {
    const buyer = createPerson(app);
    const session = await begin(buyer);
    clock = Date.now();
    for (const [state, asked] of [
      ['processing', [session]],
      ['expired', [session]],
      ['failed', []],
      ['settled', []],
    ] as const) {
      clock += REFRESH_EVERY_MS;
      await runSql(app, `update purchase set state = '${state}' where ${isOf(session)}`);
      await look(buyer, [session]);
      expect(takeAsked(), state).toEqual(asked);
    }
    clock += REFRESH_EVERY_MS;
    await runSql(
      app,
      `update purchase set state = 'expired', expires_at = ${clock} where ${isOf(session)}`,
    );
    await look(buyer, [session]);
    expect(takeAsked()).toEqual([]);
  });

  /** Adds checkouts like this one, begun in the same browser: as a guest, or each by an account of its own. */
  async function copyCheckout(
    session: string,
    by: 'guest' | 'accounts' | 'strangers',
  ): Promise<string[]> {
    const copies = Array.from({ length: 45 }, (_, number) => `cs_test_${by}${number}`);
    await withDatabase(app, async (db) => {
      const begun = await db
        .selectFrom('purchase')
        .innerJoin('payment', 'payment.id', 'purchase.payment_id')
        .where('session_id', '=', session)
        .selectAll('purchase')
        .executeTakeFirstOrThrow();
      const values = copies.map((copy) => ({
        ...begun,
        id: copy,
        payment_id: copy,
        buyer_id: by === 'guest' ? null : copy,
        state: 'processing' as const,
      }));
      await db.insertInto('purchase').values(values).execute();
      const payments = copies.map((copy) => ({ id: copy, session_id: copy }));
      await db.insertInto('payment').values(payments).execute();
    });
    return copies;
  }

  const lookAtAll = (buyer: Person, copies: string[]) =>
    Promise.all([0, 15, 30].map((first) => look(buyer, copies.slice(first, first + 15))));

  test('is asked of twenty checkouts in two seconds, for everybody together, and payments go on', async () => {
    const buyer = createPerson(app);
    const copies = await copyCheckout(await begin(buyer), 'accounts');
    clock = Date.now();
    await lookAtAll(buyer, copies);
    await lookAtAll(buyer, copies);
    expect(takeAsked()).toHaveLength(20);

    const other = createPerson(app);
    const sold = await sellFile(seller);
    await payFor(other, sold.id);
    await waitUntilUnlocked(other, sold.id);
    takeAsked();

    clock += REFRESH_EVERY_MS;
    await lookAtAll(buyer, copies);
    expect(takeAsked()).toHaveLength(20);
  });

  test('is asked of five checkouts of one buyer in two seconds, and of those of others beside them', async () => {
    const buyer = createPerson(app);
    const copies = await copyCheckout(await begin(buyer), 'guest');
    const other = createPerson(app);
    const session = await begin(other);
    // What the tests before have asked is long over.
    clock = Date.now() + 10 * REFRESH_EVERY_MS;
    await lookAtAll(buyer, copies);
    expect(takeAsked()).toHaveLength(5);
    await look(other, [session]);
    expect(takeAsked()).toEqual([session]);
    clock += REFRESH_EVERY_MS;
    await lookAtAll(buyer, copies);
    expect(takeAsked()).toHaveLength(5);
  });

  test('is asked of a buyer who comes back, whoever else asks again about however many', async () => {
    const stranger = createPerson(app);
    const copies = (await copyCheckout(await begin(stranger), 'strangers')).slice(0, 20);
    const buyer = createPerson(app);
    const session = await begin(buyer);
    const lookAtTwenty = () =>
      Promise.all([0, 10].map((first) => look(stranger, copies.slice(first, first + 10))));
    clock = Date.now() + 20 * REFRESH_EVERY_MS;
    await lookAtTwenty();
    expect(takeAsked()).toHaveLength(20);
    clock += REFRESH_EVERY_MS;
    await lookAtTwenty();
    expect(takeAsked()).toHaveLength(15);
    await look(buyer, [session]);
    expect(takeAsked()).toEqual([session]);
  });
});
