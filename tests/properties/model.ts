import type Stripe from 'stripe';
import type { Payment } from './provider.ts';

/** What was offered, as it was when its checkout began. */
export interface Offer {
  sessionId: string;
  sellerId: string;
  linkId: string;
  visitor: string;
  /** Bought for somebody else. */
  isGift: boolean;
  priceCents: number;
}

/** What has to be true of a purchase once everything was heard that the provider says of it. */
export interface Expected {
  state: 'open' | 'processing' | 'settled' | 'failed' | 'expired';
  grant: 'active' | 'suspended' | 'ended' | null;
  /** What its creator has of it. */
  creatorCents: number;
  reserveCents: number;
}

/** Who pays the provider's fee of a dispute. */
export type DisputeFee = 'platform' | 'creator';
const DISPUTE_FEE_CENTS = 1500;
export const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

/** 5% rounded half up and 30 cents, and never more than the price. */
export function feeOf(priceCents: number): number {
  return Math.min(priceCents, Math.floor((priceCents * 5 + 50) / 100) + 30);
}

/** What a creator gives back of a sale of which so much is refunded. */
function givenBack(priceCents: number, refundedCents: number): number {
  const fee = feeOf(priceCents);
  return refundedCents - Math.floor((2 * fee * refundedCents + priceCents) / (2 * priceCents));
}

const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0);
const movedBy = ({ balance_transactions: moved }: Stripe.Dispute) =>
  sum(moved.map(({ amount }) => amount));
const OPEN = /^(needs_response|under_review|appeal_)/;
const INQUIRY = /^warning_(needs|under)/;

export function expectedOf(
  { priceCents }: Offer,
  { session, intent, refunds, disputes }: Payment,
  bearer: DisputeFee,
): Expected {
  if (session.payment_status !== 'paid') {
    const none = { grant: null, creatorCents: 0, reserveCents: 0 };
    if (session.status !== 'complete')
      return { state: session.status === 'expired' ? 'expired' : 'open', ...none };
    return { state: intent?.status === 'processing' ? 'processing' : 'failed', ...none };
  }
  const amounts = (status: string) =>
    sum(refunds.flatMap((refund) => (refund.status === status ? refund.amount : [])));
  const refunded = amounts('succeeded');
  const withheld = disputes.filter((dispute) => movedBy(dispute) < 0);
  const claims = disputes.filter(
    (dispute) =>
      movedBy(dispute) >= 0 && (OPEN.test(dispute.status) || INQUIRY.test(dispute.status)),
  );
  const isLost = withheld.some(({ status }) => status === 'lost');
  const isOpen = disputes.some(({ status }) => OPEN.test(status)) || withheld.length > 0;
  const undecided = isOpen ? 'suspended' : 'active';
  const left = priceCents - refunded + sum(disputes.map(movedBy));
  const claimed = Math.min(
    Math.max(0, left),
    amounts('pending') + sum(claims.map(({ amount }) => amount)),
  );
  const fees = disputes.filter(({ balance_transactions: moved }) => moved.length > 0).length;
  return {
    state: 'settled',
    grant: refunded >= priceCents || isLost ? 'ended' : undecided,
    creatorCents:
      priceCents -
      feeOf(priceCents) -
      givenBack(priceCents, refunded) +
      sum(disputes.map(movedBy)) -
      (bearer === 'creator' ? fees * DISPUTE_FEE_CENTS : 0),
    reserveCents: givenBack(priceCents, refunded + claimed) - givenBack(priceCents, refunded),
  };
}

/** What the provider still has of a payment, without its own costs. */
export function leftAtProvider({ session, refunds, disputes }: Payment): number {
  if (session.payment_status !== 'paid') return 0;
  const gone = sum(refunds.flatMap(({ status, amount }) => (status === 'failed' ? [] : amount)));
  return (session.amount_total ?? 0) - gone + sum(disputes.map(movedBy));
}

interface Sold extends Pick<Expected, 'creatorCents' | 'reserveCents'> {
  soldAt: number;
}

/**
 * What a creator may be paid: what is owed, without what is reserved, and without what sales younger
 * than the hold brought.
 */
export function availableOf(sales: Sold[], paidOutCents: number, now: number): number {
  const owed = sum(sales.map(({ creatorCents }) => creatorCents)) - paidOutCents;
  const reserved = sum(sales.map(({ reserveCents }) => reserveCents));
  const young = sales.filter(({ soldAt }) => soldAt > now - HOLD_MS);
  const held = young.map(({ creatorCents, reserveCents }) => creatorCents - reserveCents);
  return owed - reserved - sum(held.map((cents) => Math.max(0, cents)));
}
