import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { announce, transaction } from '../database/transaction.ts';
import { enqueue, retryJobs } from '../outbox/jobs.ts';
import { type FulfilmentContext, fulfilPurchase } from './fulfil-purchase.ts';
import { isLost, LostPurchaseError } from './lost-purchase.ts';
import { type ReviewContext, reviewPayment } from './review-payment.ts';
import type { Mode } from './tables.ts';

interface ProviderEvent {
  id: string;
  type: string;
  mode: Mode;
  /** The event as it was signed, JSON. */
  payload: string;
}

/** 'stale': rightly signed, but so long ago by our clock that it may be a repetition of another's. */
export type VerifyWebhook = (
  body: Buffer,
  signature: string,
) =>
  | { kind: 'event'; event: ProviderEvent }
  | { kind: 'stale'; ageSeconds: number }
  | { kind: 'forged' };

/**
 * Stores an event with the job that handles it. A repetition changes nothing once the event has
 * led to what it leads to; until then it is taken up again, also when it had been given up.
 */
export async function receiveWebhook(
  { db, now }: { db: Database; now: () => number },
  event: ProviderEvent,
): Promise<void> {
  const receivedAt = now();
  await transaction(db, async (trx) => {
    const stored = await trx
      .insertInto('webhook_event')
      .values({ ...event, received_at: receivedAt, handled_at: null })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (stored || (await mustRunAgain(trx, event, receivedAt))) {
      await enqueue(trx, 'handle-webhook', { eventId: event.id }, receivedAt);
    }
  });
}

/** Takes up the job of a repeated event. @returns whether there is none and should be one */
async function mustRunAgain(
  trx: DatabaseTransaction,
  event: ProviderEvent,
  now: number,
): Promise<boolean> {
  const payload = JSON.stringify({ eventId: event.id });
  const job = await trx
    .selectFrom('job')
    .where('payload', '=', payload)
    .select('id')
    .executeTakeFirst();
  if (job) {
    await retryJobs(trx, now).where('payload', '=', payload).execute();
    return false;
  }
  const handled = await trx
    .selectFrom('webhook_event')
    .where('id', '=', event.id)
    .where('handled_at', 'is not', null)
    .select('id')
    .executeTakeFirst();
  return !handled || isPaidButUnsettled(trx, event);
}

/** What an event led to may be missing: it was not known to be ours, or a backup was restored. */
async function isPaidButUnsettled(
  db: DatabaseTransaction,
  { type, payload }: ProviderEvent,
): Promise<boolean> {
  if (!PAID.has(type)) return false;
  const { data } = JSON.parse(payload) as EventBody;
  const settled = await db
    .selectFrom('purchase')
    .where('session_id', '=', data.object.id)
    .where('state', '=', 'settled')
    .select('id')
    .executeTakeFirst();
  return !settled;
}

const PAID = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);

/** The part of a provider's event that is read here; ids only, the rest is asked for afresh. */
interface EventBody {
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

/** A sale that this database does not know must not be lost silently. @throws LostPurchaseError */
async function refuseLoss(context: ReviewContext, sessionId: string): Promise<void> {
  const session = await context.provider.retrieveCheckout(sessionId);
  if (!session || !(await isLost(context, session))) return;
  throw new LostPurchaseError(
    `The paid session ${sessionId} names a purchase that is not in this database. Was it restored from a backup? Run: npm run cli -- reconcile`,
  );
}

async function failIfOurs(context: FulfilmentContext, sessionId: string): Promise<void> {
  const purchase = await fulfilPurchase(context, sessionId);
  if (purchase) await failPurchase(context, purchase.id);
}

/**
 * A delayed payment that did not arrive: the buyer, who may have left the page, is notified by
 * email.
 */
async function failPurchase({ db, now }: FulfilmentContext, purchaseId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const failed = await trx
      .updateTable('purchase')
      .set({ state: 'failed' })
      .where('id', '=', purchaseId)
      .where('state', 'in', ['open', 'processing'])
      .returning(['link_id', 'seller_id', 'buyer_email'])
      .executeTakeFirst();
    if (!failed) return;
    if (failed.buyer_email) {
      await enqueue(trx, 'send-payment-failed', { purchaseId }, now());
    }
    const { link_id: id, seller_id: ownerId } = failed;
    announce(trx, { kind: 'payment-changed', id, ownerId, purchaseId });
  });
}
