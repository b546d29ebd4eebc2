import { failPurchase } from './fail-purchase.ts';
import { type FulfilmentContext, fulfilPurchase } from './fulfil-purchase.ts';
import { isLost, LostPurchaseError } from './lost-purchase.ts';
import { type ReviewContext, reviewPayment } from './review-payment.ts';

/** The part of a provider's event that is read here; ids only, the rest is asked for afresh. */
export interface EventBody {
  type: string;
  data: {
    object: {
      id: string;
      payment_intent?: string | { id: string } | null;
    };
  };
}

/**
 * Acts on a stored event once or many times, with the same result. Events of other products on
 * the same provider account, and kinds that mean nothing here, are left alone.
 */
export async function handleWebhook(context: ReviewContext, eventId: string): Promise<void> {
  const event = await context.db
    .selectFrom('webhook_event')
    .selectAll()
    .where('id', '=', eventId)
    .executeTakeFirstOrThrow();
  if (event.mode === context.provider.mode) {
    await act(context, JSON.parse(event.payload) as EventBody);
  }
  await context.db
    .updateTable('webhook_event')
    .set({ handled_at: context.now() })
    .where('id', '=', eventId)
    .execute();
}

async function act(context: ReviewContext, { type, data }: EventBody): Promise<void> {
  const object = data.object;
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      if (!(await fulfilPurchase(context, object.id))) await refuseLoss(context, object.id);
      return;
    case 'checkout.session.async_payment_failed':
      await failIfOurs(context, object.id);
      return;
    case 'charge.refunded':
    case 'charge.updated':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const payment = paymentIntentOf(object.payment_intent);
      if (payment) await reviewPayment(context, payment);
    }
  }
}

function paymentIntentOf(value: EventBody['data']['object']['payment_intent']): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

/** A sale that this database does not know must not vanish silently. @throws LostPurchaseError */
async function refuseLoss(context: ReviewContext, sessionId: string): Promise<void> {
  const session = await context.provider.retrieveCheckout(sessionId);
  if (!session || !(await isLost(context, session))) return;
  throw new LostPurchaseError(
    `The paid session ${sessionId} names a purchase that this database does not hold. Was it restored from a backup? Run: npm run cli -- reconcile`,
  );
}

async function failIfOurs(context: FulfilmentContext, sessionId: string): Promise<void> {
  const purchase = await fulfilPurchase(context, sessionId);
  if (purchase) await failPurchase(context, purchase.id);
}
