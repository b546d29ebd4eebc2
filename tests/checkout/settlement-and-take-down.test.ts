import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLink,
  graphql,
  readMail,
  seeLink,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();

const TAKE_DOWN = `mutation ($id: ID!, $refundDays: Int) {
  takeDownLink(id: $id, reason: "fraud", words: "It is not what it says.", refundDays: $refundDays)
}`;

/** On SQLite, one of the two is over before the other begins. */
describe('a take-down that begins in the middle of a settlement, on PostgreSQL', () => {
  const app = useApp({
    database: 'postgres',
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
  });
  let seller: Person;
  let operator: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    operator = await signUpOperator(app);
  });

  const saleOf = (id: string) =>
    withDatabase(app, (db) =>
      db
        .selectFrom('purchase')
        .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
        .leftJoin('refund', 'refund.purchase_id', 'purchase.id')
        .where('purchase.link_id', '=', id)
        .select(['purchase.state as purchase', 'refunded_because', 'access_grant.state as grant'])
        .select(['refund.amount_cents as refunded', 'requested_by'])
        .execute(),
    );

  test.each([
    ['the sale stands', null, { grant: 'active', refunded: null, requested_by: null }],
    ['the sale is given back', 1, { grant: 'ended', refunded: 1000, requested_by: 'operator' }],
  ])('waits for it, and %s as the operator decided', async (_what, refundDays, outcome) => {
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://example.com/',
      price: 1000,
    });
    const buyer = createPerson(app);
    const email = `${id}@example.com`;
    const checkout = await checkOut(buyer, id);
    const holder = new pg.Client(app.env.DATABASE_URL);
    // Within a transaction, nothing new is seen of who is active.
    const watcher = new pg.Client(app.env.DATABASE_URL);
    await Promise.all([holder.connect(), watcher.connect()]);
    try {
      // What a settlement writes first: it has looked at the link by then.
      await holder.query('begin');
      await holder.query('select id from purchase where link_id = $1 for update', [id]);
      expect((await payAt(buyer, checkout, CARDS.pays, email)).status).toBe(303);
      const waitingFor = async (pid: number) => {
        const { rows } = await watcher.query<{ pid: number; query: string }>(
          'select pid, query from pg_stat_activity where $1::int = any (pg_blocking_pids(pid))',
          [pid],
        );
        return rows;
      };
      const { rows: own } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
      const settlement = await eventually(
        async () => {
          const [first] = await waitingFor(own[0]?.pid ?? 0);
          expect(first?.query).toContain('update "purchase"');
          return first;
        },
        { intervalMs: 5 },
      );
      let isDone = false;
      const takeDown = graphql(operator, TAKE_DOWN, { id, refundDays }).finally(() => {
        isDone = true;
      });
      await eventually(
        async () => {
          const waiting = await waitingFor(settlement?.pid ?? 0);
          expect(isDone || waiting.some(({ query }) => query.includes('update "link"'))).toBe(true);
        },
        { intervalMs: 5 },
      );
      expect(isDone).toBe(false);
      await holder.query('commit');
      await takeDown;
    } finally {
      await Promise.all([holder.end(), watcher.end()]);
    }
    await eventually(async () =>
      expect(await saleOf(id)).toEqual([
        { purchase: 'settled', refunded_because: null, ...outcome },
      ]),
    );
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
    const isRefunded = refundDays !== null;
    await expectBooks(app, id, {
      ...(isRefunded
        ? { provider: 59, platform_fee: 0, creator: 0 }
        : { provider: -941, platform_fee: 80, creator: 920 }),
      processing_cost: -59,
    });
    const { text } = await readMail(app, email, /No longer available/);
    expect(text.includes('We are refunding your payment in full.')).toBe(isRefunded);
    expect(await seeLink(buyer, id)).toBeNull();
    if (isRefunded) return;
    // Once it is undone, it is the buyer's.
    await graphql(operator, 'mutation ($id: ID!) { undoTakeDown(id: $id, words: "A mistake.") }', {
      id,
    });
    await waitUntilUnlocked(buyer, id);
  });
});
