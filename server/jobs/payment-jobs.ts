import type { Logger } from 'pino';
import { EntryConflictError } from '../domain/ledger/post-entry.ts';
import { RefundTooLargeError } from '../domain/ledger/record-refund.ts';
import { closeCheckout } from '../domain/purchases/close-checkout.ts';
import { findDoublePayment } from '../domain/purchases/find-double-payment.ts';
import { followCheckout } from '../domain/purchases/follow-checkout.ts';
import { PaymentMismatchError } from '../domain/purchases/fulfil-purchase.ts';
import { handleWebhook } from '../domain/purchases/handle-webhook.ts';
import { LostPurchaseError } from '../domain/purchases/lost-purchase.ts';
import { type ReviewContext, reviewPayment } from '../domain/purchases/review-payment.ts';
import type { JobHandlers } from './worker.ts';

type PaymentJob =
  | 'handle-webhook'
  | 'review-payment'
  | 'expire-checkout'
  | 'follow-checkout'
  | 'find-double-payment';

/** What the provider's events and our own settlements lead to. */
export function createPaymentJobs(
  context: ReviewContext,
  log: Pick<Logger, 'warn'>,
): Pick<JobHandlers, PaymentJob> {
  return {
    'handle-webhook': ({ eventId }) => handleWebhook(context, eventId),
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
    async 'find-double-payment'({ purchaseId }) {
      const double = await findDoublePayment(context.db, purchaseId);
      if (!double) return;
      const { purchase, earlier } = double;
      log.warn(
        {
          link: purchase.link_id,
          purchase: purchase.id,
          payment: purchase.payment_intent_id,
          earlierPurchase: earlier.id,
          earlierPayment: earlier.payment_intent_id,
        },
        'a visitor paid one link twice: refund the second payment at the provider',
      );
    },
  };
}

/** Money that does not fit our books: trying again changes nothing, a person has to look. */
export function isFinalPaymentFault(error: unknown): boolean {
  return (
    error instanceof PaymentMismatchError ||
    error instanceof LostPurchaseError ||
    error instanceof RefundTooLargeError ||
    error instanceof EntryConflictError
  );
}
