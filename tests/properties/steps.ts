import fc from 'fast-check';
import { CARDS } from '../factories/payment.ts';
import { type Action, buy, digits, pick, settle } from './act.ts';
import { type Arrival, HOUR_MS, type Market, MINUTE_MS, refusedWith } from './market.ts';
import type { Offer } from './model.ts';
import { PAYOUT_ACTIONS } from './payout-steps.ts';
import type { Payment } from './provider.ts';

export interface Step {
  /** One of KINDS. */
  does: string;
  /** Chooses whom and what it is about, and how much. */
  seed: number;
  arrives: Arrival;
}

const REFUND_IS_PENDING = '4000000000007726';
const REFUND_FAILS = '4000000000005126';
const COST_IS_UNREPORTED = '4000000000008872';
const SETTLEMENT = /_(payment|settlement)$/;
const REFUND = /_refund$/;
const DISPUTED = /^needs_response$/;
const INQUIRY = /^warning_needs_response$/;
const APPEALED = /^appeal_needs_response$/;

type Paid = { offer: Offer; payment: Payment & { charge: NonNullable<Payment['charge']> } };

const ACTIONS: Record<string, Action> = {
  ...PAYOUT_ACTIONS,
  'a price change': async (market, seed) => {
    const shop = pick(market.openShops(), seed);
    const link = shop && pick(shop.links, seed >> 3);
    if (!shop || !link) return false;
    const price = 1 + ((seed >> 4) % (seed % 2 ? 60 : 4000));
    await market.product.setPrice(shop.id, link.id, price);
    link.price = price;
    // Before the checkouts at the former price are ended.
    if (seed % 3 === 0) payOpen(market, seed, digits(CARDS.pays));
    return true;
  },
  'a checkout': async (market, seed) => (await market.checkOut(seed)) !== undefined,
  'a payment': (market, seed) => buy(market, seed),
  'a gift': async (market, seed) => {
    const offer = await market.checkOut(seed, undefined, true);
    return offer !== undefined && market.world.provider.pay(offer.sessionId, digits(CARDS.pays));
  },
  'a code that takes everything off': (market, seed) => market.takeForNothing(seed),
  'a payment of unknown cost': (market, seed) => buy(market, seed, COST_IS_UNREPORTED),
  'a payment whose refund takes a while': (market, seed) => buy(market, seed, REFUND_IS_PENDING),
  'a payment whose refund fails': (market, seed) => buy(market, seed, REFUND_FAILS),
  'a declined card': (market, seed) => buy(market, seed, digits(CARDS.declines)),
  'a delayed payment': (market, seed) => payLater(market, seed),
  'the outcome of a delayed payment': async (market, seed) =>
    settle(market, seed, SETTLEMENT) ||
    ((await payLater(market, seed)) && settle(market, seed, SETTLEMENT)),
  'the cost of a payment': async (market, seed) => {
    const unreported = () =>
      paidOf(market).filter(({ payment: { charge } }) => !charge.balance_transaction);
    if (unreported().length === 0) await buy(market, seed, COST_IS_UNREPORTED);
    const paid = pick(unreported(), seed);
    if (paid) market.world.provider.reportCost(paid.payment.charge);
    return paid !== undefined;
  },
  'a buyer who comes back': async (market, seed) => {
    const offer = pick(market.offers, seed);
    if (offer) await market.product.comeBack(offer.sessionId);
    return offer !== undefined;
  },
  'two payments of one visitor': async (market, seed) => {
    const offer = await market.checkOut(seed);
    if (!offer) return false;
    const { db, provider } = market.world;
    // As a race could leave them.
    const ended = db.updateTable('purchase').set({ state: 'expired' });
    await ended
      .where('id', '=', await market.findPurchase(offer.sessionId))
      .where('state', '=', 'open')
      .execute();
    const second = await market.checkOut(seed);
    if (!second || second === offer) return false;
    provider.pay(offer.sessionId, digits(CARDS.pays));
    return provider.pay(second.sessionId, digits(CARDS.pays));
  },
  'a full refund': (market, seed) => refund(market, seed, (left) => left),
  'a refund of a part': (market, seed) => refund(market, seed, (left) => 1 + ((seed >> 3) % left)),
  'a refund by the seller': (market, seed) => refundSale(market, seed, { isWhole: true }),
  'a part refunded by the seller': (market, seed) => refundSale(market, seed, { isWhole: false }),
  'a refund by the operator': (market, seed) =>
    refundSale(market, seed, { isWhole: true, byOperator: true }),
  'a part refunded by the operator': (market, seed) =>
    refundSale(market, seed, { isWhole: false, byOperator: true }),
  'a refund by the seller that fails later': async (market, seed) => {
    const bought = await buyAnother(market, seed, REFUND_FAILS);
    if (!bought) return false;
    const isMade = await refundSale(market, seed, { isWhole: seed % 2 === 0 }, bought);
    await market.arrive('in order', seed);
    return isMade && settle(market, seed, /^fail_refund$/);
  },
  'the outcome of a refund': async (market, seed) => {
    if (settle(market, seed, REFUND)) return true;
    const bought = await buyAnother(market, seed, seed % 2 ? REFUND_IS_PENDING : REFUND_FAILS);
    if (bought) await refund(market, seed, (left) => left, bought);
    return settle(market, seed, REFUND);
  },
  'a dispute': (market, seed) => dispute(market, seed, 'needs_response'),
  'a prevented dispute': (market, seed) => dispute(market, seed, 'prevented'),
  'an inquiry': (market, seed) => dispute(market, seed, 'warning_needs_response'),
  'a dispute won': (market, seed) => answer(market, seed, DISPUTED, 'winning_evidence'),
  'a dispute lost': (market, seed) => answer(market, seed, DISPUTED, 'losing_evidence'),
  'a dispute under review': (market, seed) => answer(market, seed, DISPUTED, 'some_evidence'),
  'a dispute lost that may be appealed': (market, seed) =>
    answer(market, seed, DISPUTED, 'appealable_evidence'),
  'an appeal': async (market, seed) => {
    const word = seed % 2 ? 'winning_evidence' : 'losing_evidence';
    if (await answer(market, seed, APPEALED, word)) return true;
    await answer(market, seed, DISPUTED, 'appealable_evidence');
    return answer(market, seed, APPEALED, word);
  },
  'an inquiry that ends': (market, seed) => answer(market, seed, INQUIRY, 'winning_evidence'),
  'an inquiry that becomes a dispute': (market, seed) =>
    answer(market, seed, INQUIRY, 'escalate_inquiry_evidence'),
  'a review that is overtaken': async (market, seed) => {
    const paid = await findRefundable(market, seed);
    if (!paid) return false;
    const { product } = market;
    await product.comeBack(paid.offer.sessionId);
    const { charge } = paid.payment;
    await product.reviewWhile(paid.payment.intent?.id ?? '', async () => {
      const made = market.world.provider.refund(charge, charge.amount - charge.amount_refunded);
      market.askedRefunds.add(made.id);
      await product.review(paid.payment.intent?.id ?? '');
    });
    await market.expectReviewed(paid.offer);
    return true;
  },
  'a clock that differs': (market, seed) => {
    market.skew(((seed % 9) - 4) * MINUTE_MS);
    return true;
  },
  'time that passes': async (market, seed) => {
    const waits = [10 * MINUTE_MS, 40 * MINUTE_MS, 26 * HOUR_MS, 8 * 24 * HOUR_MS];
    market.world.advance(pick(waits, seed) ?? HOUR_MS);
    market.world.provider.performDue();
    if (seed % 2) await market.catchUp();
    return true;
  },
  'a killed process': async (market, seed) => {
    market.product.dieAfter(1 + (seed % 25));
    await market.survive(() => buy(market, seed >> 3));
    return true;
  },
  'an account deleted': async (market, seed) => {
    const shop = pick(market.openShops(), seed);
    if (!shop) return false;
    const begun = await market.checkOut(seed);
    const isDeleted = await market.product
      .deleteAccount(shop.id)
      .then(() => true)
      .catch((error: unknown) => refusedWith(error, 'ACCOUNT_NOT_SETTLED') ?? false);
    if (!isDeleted) return true;
    shop.isDeleted = true;
    if (begun && seed % 2) market.world.provider.pay(begun.sessionId, digits(CARDS.pays));
    await market.openShop(seed % 7);
    return true;
  },
};

export const KINDS = Object.keys(ACTIONS);

const WEIGHTS: Record<string, number> = { 'a payment': 12, 'a delayed payment': 4 };
const kind = fc.oneof(
  ...KINDS.map((does) => ({ weight: WEIGHTS[does] ?? 3, arbitrary: fc.constant(does) })),
);
const ARRIVAL_WEIGHTS: Record<Arrival, number> = {
  'in order': 10,
  reversed: 2,
  twice: 2,
  'at two processes': 2,
  killed: 3,
  'held back': 3,
  lost: 1,
};
export const ARRIVALS = Object.keys(ARRIVAL_WEIGHTS) as Arrival[];
const arrival = fc.oneof(
  ...ARRIVALS.map((how) => ({ weight: ARRIVAL_WEIGHTS[how], arbitrary: fc.constant(how) })),
);
export const anyStep: fc.Arbitrary<Step> = fc.record({
  does: kind,
  seed: fc.nat(1_000_000),
  arrives: arrival,
});

/** @returns whether it happened */
export async function take(market: Market, { does, seed, arrives }: Step): Promise<boolean> {
  market.world.advance(1000);
  const happened = (await ACTIONS[does]?.(market, seed)) ?? false;
  await market.arrive(arrives, seed);
  return happened;
}

function payOpen(market: Market, seed: number, card: string): boolean {
  const open = market.payments().filter(({ payment }) => payment.session.status === 'open');
  const chosen = pick(open, seed);
  return chosen ? market.world.provider.pay(chosen.offer.sessionId, card) : false;
}

const payLater = (market: Market, seed: number) =>
  buy(market, seed, digits(seed % 3 ? CARDS.settlesLater : CARDS.failsLater));

function paidOf(market: Market): Paid[] {
  return market
    .payments()
    .filter((one): one is Paid => one.payment.session.payment_status === 'paid');
}

const refundable = (market: Market) =>
  paidOf(market).filter(({ payment: { charge } }) => !charge.disputed && !charge.refunded);

/** One that may be given back or contested. */
async function findRefundable(market: Market, seed: number): Promise<Paid | undefined> {
  if (refundable(market).length === 0) await buy(market, seed);
  return pick(refundable(market), seed);
}

/** @returns what was paid by this card now */
async function buyAnother(market: Market, seed: number, card: string): Promise<Paid | undefined> {
  const before = new Set(paidOf(market).map(({ offer }) => offer));
  await buy(market, seed, card);
  return paidOf(market).find(({ offer }) => !before.has(offer));
}

async function refund(
  market: Market,
  seed: number,
  part: (leftCents: number) => number,
  chosen?: Paid,
): Promise<boolean> {
  const paid = chosen ?? (await findRefundable(market, seed));
  if (!paid) return false;
  const { charge } = paid.payment;
  const made = market.world.provider.refund(charge, part(charge.amount - charge.amount_refunded));
  market.askedRefunds.add(made.id);
  return true;
}

/** In the product, which may be killed at that. @returns whether it was taken */
const OPERATOR = { kind: 'operator', actor: { kind: 'cli' } } as const;

async function refundSale(
  market: Market,
  seed: number,
  { isWhole, byOperator = false }: { isWhole: boolean; byOperator?: boolean },
  chosen?: Paid,
): Promise<boolean> {
  const paid = chosen ?? (await findRefundable(market, seed));
  if (!paid) return false;
  const { sessionId, sellerId } = paid.offer;
  const { amount, amount_refunded } = paid.payment.charge;
  await market.product.comeBack(sessionId);
  const purchaseId = await market.findPurchase(sessionId);
  const isThere = market.openShops().some(({ id }) => id === sellerId);
  const seller = { kind: 'creator', userId: sellerId } as const;
  const cents = isWhole ? null : 1 + ((seed >> 3) % (amount - amount_refunded));
  if (seed % 4 === 0) market.product.dieAfter(1 + (seed % 40));
  let isTaken = true;
  await market.survive(() =>
    market.product
      .refund(byOperator || !isThere ? OPERATOR : seller, purchaseId, cents)
      .catch((error: unknown) => {
        isTaken = false;
        return refusedWith(error, 'REFUND_REFUSED', 'INVALID_INPUT');
      }),
  );
  return isTaken;
}

async function dispute(
  market: Market,
  seed: number,
  status: 'needs_response' | 'prevented' | 'warning_needs_response',
): Promise<boolean> {
  const paid = await findRefundable(market, seed);
  return paid ? market.world.provider.dispute(paid.payment.charge, status) !== undefined : false;
}

/** Answers a dispute that waits in this status, or a new one. */
async function answer(
  market: Market,
  seed: number,
  status: RegExp,
  word: string,
): Promise<boolean> {
  const waiting = () =>
    market
      .payments()
      .flatMap(({ payment }) => payment.disputes.filter((one) => status.test(one.status)));
  if (waiting().length === 0 && status !== APPEALED) {
    await dispute(market, seed, status === INQUIRY ? 'warning_needs_response' : 'needs_response');
  }
  const chosen = pick(waiting(), seed);
  if (chosen) market.world.provider.answer(chosen.id, word);
  return chosen !== undefined;
}
