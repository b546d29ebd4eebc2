import type { WayToPay } from '../../../contract/ways-to-pay.ts';
import type { PaymentMovements } from '../../books/ledger/follow-payment.ts';
import type { ProviderTransaction } from '../../books/ledger/record-transaction.ts';
import type { Gift } from './gifts.ts';
import type { Dispute, Mode } from './tables.ts';

/** What is noted at the provider of a purchase, to know and recover it by should it be lost here. */
export interface NotedPurchase {
  purchaseId: string;
  linkId: string;
  agreedCents: number;
  feeCents: number;
  contentFingerprint: string;
  /** Whom it is given to; never where several are paid at once. */
  gift: Gift | null;
}

export interface CheckoutRequest {
  paymentId: string;
  installationId: string;
  /** What is paid together. Their titles are shown on the provider's page. */
  lines: (NotedPurchase & { title: string })[];
  /** Whether the provider adds the taxes due to the price. */
  taxed: boolean;
  currency: string;
  buyerEmail: string | null;
  successUrl: string;
  cancelUrl: string;
  /** UTC milliseconds. */
  expiresAt: number;
  /** Same key and request: the provider answers the same session instead of a second one. */
  idempotencyKey: string;
}

/** A checkout session as the provider reports it now. */
export interface CheckoutSession {
  id: string;
  /** The provider's hosted page; null once the session is over. */
  url: string | null;
  /** These are our own notes at the provider: null for a session that is not ours. */
  installationId: string | null;
  /** The first purchase that it was created for. */
  purchaseId: string | null;
  linkId: string | null;
  /** The payment that it was created for. */
  paymentId: string | null;
  /** Of each purchase, in their order; empty where one of them is missing. */
  lines: NotedPurchase[];
  status: 'open' | 'complete' | 'expired';
  mode: Mode;
  paid: boolean;
  /** Whether a delayed payment did not arrive. Only `retrieveCheckout` tells. */
  failed: boolean;
  /** Whether the provider adds the taxes due. */
  taxed: boolean;
  /** Before taxes and discounts. */
  subtotalCents: number;
  taxCents: number;
  discountCents: number;
  /** What the buyer pays. */
  totalCents: number;
  currency: string;
  paymentIntentId: string | null;
  buyerEmail: string | null;
  /** Where its buyer is led afterwards: tells which installation opened it. */
  successUrl: string | null;
  /** UTC milliseconds. */
  createdAt: number;
  expiresAt: number;
}

/** What became of a payment after it was made, as the provider reports it now. */
export interface PaymentReport extends Omit<PaymentMovements, 'claimedCents' | 'refunds'> {
  amountCents: number;
  /** Oldest first. */
  refunds: ReportedRefund[];
  disputes: ReportedDispute[];
}

export interface ReportedRefund {
  id: string;
  /** Ours, where it was noted at the provider. */
  refundId: string | null;
  /** The purchase that it is for, where it was noted at the provider. */
  purchaseId: string | null;
  amountCents: number;
  state: 'pending' | 'succeeded' | 'failed';
  /** UTC milliseconds. */
  createdAt: number;
}

/** A payment that is contested at the buyer's bank. What it took are the payment's movements. */
export interface ReportedDispute extends Pick<Dispute, 'id' | 'stage'> {
  amountCents: number;
  /** Whether the bank waits for evidence of delivery. */
  awaitsAnswer: boolean;
  /** UTC milliseconds. */
  respondBy: number | null;
  /** What is attached. */
  evidence: Evidence;
  /** Whether the bank has it. */
  isSent: boolean;
  createdAt: number;
}

/** What shows that a purchase was delivered, by the provider's names of the fields. */
export type EvidenceField =
  | 'product_description'
  | 'access_activity_log'
  | 'customer_email_address'
  | 'customer_purchase_ip'
  | 'service_date'
  | 'uncategorized_text';
export type Evidence = Partial<Record<EvidenceField, string | null>>;

export interface RefundRequest {
  paymentIntentId: string;
  reason: 'duplicate' | 'requested_by_customer';
  /** Same key and request: the provider refunds once. */
  idempotencyKey: string;
  /** All that is left where it is absent. */
  amountCents?: number;
  /** Kept at the provider with the refund. */
  notes?: { purchaseId: string; refundId?: string; reason?: string };
}

/** The provider makes no such refund, and nothing was given back. */
export class RefundRefusedError extends Error {
  override name = 'RefundRefusedError';
  why: 'nothing-left' | 'too-large' | 'disputed' | 'other';

  constructor(why: RefundRefusedError['why'], cause: Error) {
    super(cause.message, { cause });
    this.why = why;
  }
}

/** An event of the provider, sent or listed. */
export interface ProviderEvent {
  id: string;
  type: string;
  mode: Mode;
  /** The connected account in which it happened, or that it is about; null for the platform's own. */
  account: string | null;
  /** JSON. */
  payload: string;
}

/** What an event says that matters here: ids and its time alone, for the rest is asked for afresh. */
export type ProviderNews =
  /** `completed` may wait for a delayed payment; `ended` expired, or its payment did not arrive. */
  | { kind: 'checkout-completed' | 'checkout-ended'; sessionId: string; toldAt: number | undefined }
  /** A refund, a dispute, or what the payment cost. */
  | { kind: 'payment-changed'; paymentIntentId: string }
  /** What a creator's account at the provider lacks, or where it is paid. */
  | { kind: 'account-changed'; accountId: string }
  /** A creator's payout at their bank, or its transfer; the id is that of our payout. */
  | { kind: 'payout-changed'; payoutId: string };

/** Another request with the same idempotency key is being answered: its answer will be there. */
export class CheckoutInProgressError extends Error {
  override name = 'CheckoutInProgressError';
}

/** The provider gives no word on one payment, and never will: others may be asked after. */
export class PaymentUnreadableError extends Error {
  override name = 'PaymentUnreadableError';
}

/** The card payment provider, as far as buying needs it. */
export interface CardProvider {
  mode: Mode;
  /** Whose money it is at the provider: purchases of different accounts never mix. */
  account(): Promise<string>;
  /**
   * Events that matter here since a time in UTC milliseconds, newest first, with when each
   * happened: also those that never arrived. Of connected accounts, the provider lists together
   * what changed about them, but not what happened in them: payouts under way are asked after by a
   * job of their own.
   */
  listEvents(since: number): AsyncIterable<ProviderEvent & { createdAt: number }>;
  /** How its hosted page lets buyers pay; none where it does not say. */
  listWaysToPay(): Promise<WayToPay[]>;
  /** Null for an event of a kind, or of an object, that means nothing here. @param payload JSON */
  readEvent(payload: string): ProviderNews | null;
  /** @throws CheckoutInProgressError */
  createCheckout(request: CheckoutRequest): Promise<{ id: string; url: string | null }>;
  /** Ends a session that is still open, so that nobody can pay it; others stay as they are. */
  expireCheckout(sessionId: string): Promise<void>;
  /**
   * Null when the provider does not know the session.
   * @param toldAt when the provider told of its payment, UTC milliseconds: it can be asked about with
   * others of that time
   */
  retrieveCheckout(sessionId: string, toldAt?: number): Promise<CheckoutSession | null>;
  /** Sessions opened between two times in UTC milliseconds, both included, newest first. */
  listCheckouts(from: number, to: number): AsyncIterable<CheckoutSession>;
  /** @throws PaymentUnreadableError */
  retrievePayment(paymentIntentId: string): Promise<PaymentReport>;
  /** Gives a payment, or a part of it, back. @throws RefundRefusedError */
  refundPayment(refund: RefundRequest): Promise<void>;
  /**
   * Attaches texts to what a dispute's bank may be shown, and keeps those of other fields. Once it
   * is submitted, the bank has it and takes no more.
   */
  attachEvidence(disputeId: string, evidence: Evidence, submit: boolean): Promise<void>;
  /** Ids of payments with a refund or a dispute opened since a time in UTC milliseconds. */
  listReturnedPayments(since: number): Promise<Set<string>>;
  /** Everything that moved the balance since a time in UTC milliseconds, newest first. */
  listTransactions(since: number): AsyncIterable<ProviderTransaction>;
  /** All that the provider holds, also what is not available yet: by currency, in its cents. */
  readBalance(): Promise<Map<string, number>>;
}
