import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { findPurchasesBySession } from '../../server/selling/purchases/queries.ts';
import type { Purchase } from '../../server/selling/purchases/tables.ts';
import { checkOutCart, postForm, sessionOf } from '../factories/cart-steps.ts';
import { askGraphql, createLink, graphql, signUp, updateLink } from '../factories/factories.ts';
import { waitUntilIdle } from '../factories/money.ts';
import { CHECKOUTS_A_MINUTE, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPersonAt, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { letHappen, stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

/** Carts on each database: PADLINK_CART_SEQUENCES=100 takes some minutes. */
const SEQUENCES = Number(process.env.PADLINK_CART_SEQUENCES ?? 3);
const seed = Number(process.env.PADLINK_CART_SEED ?? randomInt(2 ** 31));
const LONGEST_MS = 60_000 + SEQUENCES * 20_000;

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

const CREATE = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
const REFUND = `mutation ($id: ID!, $amount: Int, $reason: String!) {
  refundSale(purchaseId: $id, amount: $amount, reason: $reason) { state }
}`;

/** One more checkout is the cart's. */
const MAX_OWNED = CHECKOUTS_A_MINUTE - 1;

const anyLine = fc.record({
  seller: fc.nat(2),
  price: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5000 })),
  kind: fc.constantFrom('plain', 'plain', 'coded', 'named', 'owned', 'repriced'),
});
const anyStep = fc.record({
  does: fc.constantFrom('refund here', 'refund there', 'dispute', 'answer'),
  line: fc.nat(19),
  share: fc.integer({ min: 1, max: 100 }),
  wins: fc.boolean(),
});
const anyCart = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 20 }),
  steps: fc.array(anyStep, { minLength: 3, maxLength: 6 }),
});

describeOnSqliteFirst('the money of a cart', (database) => {
  const app = useApp({
    database,
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort), TRUSTED_PROXIES: '127.0.0.1' },
  });
  let sellers: Person[];
  let carts = 0;

  beforeAll(() => console.log(`PADLINK_CART_SEED=${seed} repeats these carts.`));

  /** For each cart anew: an account may write only so often. */
  async function openShops(address: string): Promise<void> {
    sellers = [];
    for (let seller = 0; seller < 3; seller += 1) {
      const person = await signUp(app, { person: createPersonAt(app, address) });
      await graphql(person, CREATE, { input: { code: 'TENTH', percent: 10 } });
      sellers.push(person);
    }
  }

  test(
    'is what was paid, to the cent, whatever comes back',
    async () => {
      let paid = 0;
      const property = fc.asyncProperty(anyCart, async ({ lines, steps }) => {
        carts += 1;
        const address = `198.51.100.${carts % 250}`;
        await openShops(address);
        const buyer = createPersonAt(app, address);
        const session = await buyCart(buyer, lines);
        if (session === null) return;
        paid += 1;
        const { payment_intent, amount_total } = await stripe.checkout.sessions.retrieve(session);
        const payment = String(payment_intent);
        await check(session, payment, amount_total ?? 0);
        for (const step of steps) {
          await take(session, payment, step);
          await check(session, payment, amount_total ?? 0);
        }
      });
      await fc.assert(property, { numRuns: SEQUENCES, seed, interruptAfterTimeLimit: LONGEST_MS });
      expect(paid).toBeGreaterThan(0);
    },
    LONGEST_MS + 30_000,
  );

  /** @returns the session that was paid; null where nothing in the cart could be */
  async function buyCart(
    buyer: Person,
    lines: { seller: number; price: number; kind: string }[],
  ): Promise<string | null> {
    let owned = 0;
    for (const [index, { seller, price, kind }] of lines.entries()) {
      const person = sellers[seller];
      if (!person) continue;
      const { id } = await createLink(person, {
        type: 'link',
        url: 'https://example.com/notes',
        price,
        title: `Line ${index}`,
      });
      if (kind === 'named') await updateLink(person, { id, least: 1 });
      if (kind === 'owned' && owned < MAX_OWNED) {
        owned += 1;
        await payFor(buyer, id);
      }
      await postForm(buyer, '/cart/add', {
        paywallId: id,
        ...(kind === 'coded' && { code: 'tenth' }),
        ...(kind === 'named' && { amount: ((price + 123) / 100).toFixed(2) }),
      });
      if (kind === 'repriced') await updateLink(person, { id, price: price + 77 });
    }
    const answer = await checkOutCart(buyer);
    if (answer.status !== 303) return null;
    const address = answer.headers.get('location') ?? '';
    await payAt(buyer, address);
    const session = sessionOf(address);
    await eventually(async () => {
      const states = (await readLines(session)).map(({ state }) => state);
      expect(new Set(states)).toEqual(new Set(['settled']));
    });
    return session;
  }

  async function take(
    session: string,
    payment: string,
    { does, line, share, wins }: { does: string; line: number; share: number; wins: boolean },
  ): Promise<void> {
    const lines = await readLines(session);
    const sale = lines[line % lines.length];
    const { latest_charge } = await stripe.paymentIntents.retrieve(payment, {
      expand: ['latest_charge'],
    });
    const charge = latest_charge as { amount: number; amount_refunded: number; disputed: boolean };
    const left = charge.amount - charge.amount_refunded;
    if (does === 'refund here' && sale) {
      const amount = Math.max(1, Math.floor((sale.price_cents * share) / 100));
      for (const seller of sellers) {
        await askGraphql(seller, REFUND, { id: sale.id, amount, reason: 'As agreed' });
      }
    } else if (does === 'refund there' && left > 0) {
      const amount = Math.max(1, Math.floor((left * share) / 100));
      // A payment that its buyer's bank holds is not refunded.
      await stripe.refunds.create({ payment_intent: payment, amount }).catch(isRefused);
    } else if (does === 'dispute') {
      await letHappen(sandboxPort, 'disputes', { payment_intent: payment }).catch(isRefused);
    } else {
      const { data } = await stripe.disputes.list({ payment_intent: payment });
      const open = data.find(({ status }) => status === 'needs_response');
      const evidence = { uncategorized_text: `${wins ? 'winning' : 'losing'}_evidence` };
      if (open) await stripe.disputes.update(open.id, { evidence, submit: true });
    }
  }

  function isRefused(error: unknown): void {
    expect((error as { type?: string }).type).toBe('StripeInvalidRequestError');
  }

  const readLines = (session: string): Promise<Purchase[]> =>
    withDatabase(app, (db) => findPurchasesBySession(db, session));

  /** The lines are the payment, and what came back of them what the provider took. */
  async function check(session: string, payment: string, paidCents: number): Promise<void> {
    const moved = await stripe.balanceTransactions.list({ limit: 100 });
    const [refunds, disputes] = await Promise.all([
      stripe.refunds.list({ payment_intent: payment }),
      stripe.disputes.list({ payment_intent: payment }),
    ]);
    const sources = new Set([...refunds.data, ...disputes.data].map(({ id }) => id));
    const takenCents = moved.data
      .filter(({ source }) => sources.has(String(source)))
      .reduce((sum, { amount }) => sum - amount, 0);
    await eventually(async () => {
      const lines = await readLines(session);
      expect(lines.reduce((sum, { price_cents }) => sum + price_cents, 0)).toBe(paidCents);
      const fee = lines.reduce((sum, { fee_cents }) => sum + fee_cents, 0);
      expect(fee).toBe(Math.min(paidCents, Math.floor((paidCents * 500 + 5_000) / 10_000) + 30));
      const booked = await withDatabase(app, (db) =>
        db
          .selectFrom('ledger_entry')
          .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
          .where(
            'purchase_id',
            'in',
            lines.map(({ id }) => id),
          )
          .where('kind', 'in', ['refund', 'refund_reversal', 'dispute', 'dispute_reversal'])
          .where('account', 'in', ['creator', 'platform_fee'])
          .select('amount_cents')
          .execute(),
      );
      expect(booked.reduce((sum, { amount_cents }) => sum - amount_cents, 0)).toBe(takenCents);
    });
    await withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort);
      expect(await checkLedger(db)).toEqual([]);
    });
  }
});
