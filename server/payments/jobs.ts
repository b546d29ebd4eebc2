import type { Logger } from 'pino';
import type { Database } from '../database/tables.ts';
import { EntryConflictError } from '../ledger/post-entry.ts';
import { RefundTooLargeError } from '../ledger/record-refund.ts';
import type { JobHandlers } from '../outbox/worker.ts';
import { followCheckout } from './begin-purchase.ts';
import { closeCheckout } from './context.ts';
import { PaymentMismatchError } from './fulfil-purchase.ts';
import { LostPurchaseError } from './lost-purchase.ts';
import { ofVisitor } from './queries.ts';
import { handleWebhook } from './receive-webhook.ts';
import { type ReviewContext, reviewPayment } from './review-payment.ts';
import type { Purchase } from './tables.ts';

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

/** The earlier payment of the same visitor for the same link that still stands, if there is one. */
export async function findDoublePayment(
  db: Database,
  purchaseId: string,
): Promise<{ purchase: Purchase; earlier: Purchase } | null> {
  const purchase = await db
    .selectFrom('purchase')
    .selectAll()
    .where('id', '=', purchaseId)
    .executeTakeFirstOrThrow();
  const earlier = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .selectAll('purchase')
    .where(ofVisitor(purchase))
    .where('purchase.state', '=', 'settled')
    .where('access_grant.state', '!=', 'ended')
    .where(({ eb, or, and }) =>
      or([
        eb('purchase.settled_at', '<', purchase.settled_at),
        and([
          eb('purchase.settled_at', '=', purchase.settled_at),
          eb('purchase.id', '<', purchase.id),
        ]),
      ]),
    )
    .executeTakeFirst();
  return earlier ? { purchase, earlier } : null;
}
