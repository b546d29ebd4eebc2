import type { Logger } from 'pino';
import { EntryConflictError } from '../../books/ledger/post-entry.ts';
import { RefundTooLargeError } from '../../books/ledger/record-refund.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { JobHandlers } from '../../ground/outbox/worker.ts';
import { followCheckout } from '../../selling/purchases/begin-purchase.ts';
import type { CardProvider } from '../../selling/purchases/card-provider.ts';
import { closeCheckout } from '../../selling/purchases/context.ts';
import { endOutdatedCheckouts } from '../../selling/purchases/end-checkouts.ts';
import { PaymentMismatchError } from '../../selling/purchases/fulfil-purchase.ts';
import { attachEvidence, type EvidenceContext } from './dispute-evidence.ts';
import { followSettlement, refundPayment } from './follow-settlement.ts';
import { LostPurchaseError } from './lost-purchase.ts';
import { handleWebhook } from './receive-webhook.ts';
import { finishRefund } from './refund-sale.ts';
import { reviewPayment } from './review-payment.ts';

type PaymentJob =
  | 'handle-webhook'
  | 'handle-payment-event'
  | 'review-payment'
  | 'expire-checkout'
  | 'follow-checkout'
  | 'end-checkouts'
  | 'follow-settlement'
  | 'refund-payment'
  | 'make-refund'
  | 'attach-evidence';

const RETURNED = {
  double: 'a visitor paid one link twice: the second payment is being refunded',
  'seller-gone': 'a payment is being refunded: its seller had deleted their account',
  'taken-down': 'a payment is being refunded: its link had been taken down',
};

/**
 * What the provider's events and our own settlements lead to.
 * @param awaited the provider for what somebody waits for: the content of what they paid for
 */
export function createPaymentJobs(
  context: EvidenceContext,
  awaited: CardProvider,
  log: Pick<Logger, 'warn'>,
): Pick<JobHandlers, PaymentJob> {
  return {
    'handle-payment-event': ({ eventId }) => handleWebhook(context, eventId),
    'handle-webhook': ({ eventId }) => handleWebhook({ ...context, provider: awaited }, eventId),
    async 'review-payment'({ paymentIntentId }) {
      await reviewPayment(context, paymentIntentId);
    },
    async 'expire-checkout'({ sessionId }) {
      await closeCheckout(context, sessionId);
    },
    async 'follow-checkout'({ purchaseId }, again) {
      const askAt = await followCheckout(context, purchaseId);
      if (askAt !== null) again(askAt);
    },
    'end-checkouts': (which) => endOutdatedCheckouts(context, which),
    async 'follow-settlement'({ purchaseId }) {
      for (const { purchase, because } of await followSettlement(context, purchaseId)) {
        log.warn(
          { link: purchase.link_id, purchase: purchase.id, payment: purchase.payment_intent_id },
          RETURNED[because],
        );
      }
    },
    'refund-payment': ({ purchaseId }) => refundPayment(context, purchaseId),
    'make-refund': (asked) => finishRefund(context, asked),
    async 'attach-evidence'({ disputeId }, again) {
      const dueAt = await attachEvidence(context, disputeId);
      if (dueAt !== null) again(dueAt);
    },
  };
}

/** Money that does not fit our books: trying again changes nothing, a person has to look. */
export function isFinalPaymentFault(error: unknown): boolean {
  return (
    error instanceof PaymentMismatchError ||
    error instanceof LostPurchaseError ||
    error instanceof RefundTooLargeError ||
    error instanceof EntryConflictError ||
    (error instanceof DomainError && error.code === 'REFUND_REFUSED')
  );
}
