import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseContext, DatabaseTransaction } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { isThere } from '../../ground/lib/is-there.ts';
import { pick } from '../../ground/lib/pick.ts';
import { enqueue, retryJobs, wakeOnceCommitted } from '../../ground/outbox/jobs.ts';
import type {
  CardProvider,
  ProviderEvent,
  ProviderNews,
} from '../../selling/purchases/card-provider.ts';
import { fulfilPurchase } from '../../selling/purchases/fulfil-purchase.ts';
import { isLost, LostPurchaseError } from './lost-purchase.ts';
import { type ReviewContext, reviewPayment } from './review-payment.ts';

/**
 * 'other': of a kind that means nothing here, which need not be kept. 'stale': rightly signed, but so
 * long ago by our clock that it may be a repetition of another's.
 */
export type VerifyWebhook = (
  body: Buffer,
  signature: string,
) =>
  | { kind: 'event'; event: ProviderEvent }
  | { kind: 'other' }
  | { kind: 'stale'; ageSeconds: number }
  | { kind: 'forged' }
  | { kind: 'unreadable' };

export interface WebhookContext extends DatabaseContext {
  provider: Pick<CardProvider, 'readEvent'>;
}

/**
 * Stores an event with the job that handles it. A repetition changes nothing once the event has
 * led to what it leads to; until then it is taken up again, also when it had been given up.
 */
export async function receiveWebhook(context: WebhookContext, event: ProviderEvent): Promise<void> {
  const receivedAt = context.now();
  await transaction(context.db, async (trx) => {
    if (await storeEvent(trx, event, receivedAt)) return;
    if (await mustRunAgain(trx, context, event)) {
      await enqueue(trx, jobOf(event), { eventId: event.id }, receivedAt);
    }
  });
}

/** Writes an event with the job that handles it. @returns whether it was not there yet */
export async function storeEvent(
  trx: DatabaseTransaction,
  event: ProviderEvent,
  receivedAt: number,
): Promise<boolean> {
  const [stored] = await insertEvent(trx, event, receivedAt);
  if (stored) await enqueue(trx, jobOf(event), { eventId: event.id }, receivedAt);
  return stored !== undefined;
}

/** Who has paid does not wait behind what is looked at of others' payments. */
const jobOf = ({ type }: ProviderEvent) =>
  type.startsWith('checkout.') ? 'handle-webhook' : 'handle-payment-event';

const insertEvent = prepare((db, event: ProviderEvent, receivedAt: number) =>
  db
    .insertInto('webhook_event')
    .values({
      ...pick(event, 'id', 'type', 'mode', 'account', 'payload'),
      received_at: receivedAt,
      handled_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
);

/** Takes up the job of a repeated event. @returns whether there is none and should be one */
async function mustRunAgain(
  trx: DatabaseTransaction,
  { provider, now }: WebhookContext,
  event: ProviderEvent,
): Promise<boolean> {
  const payload = JSON.stringify({ eventId: event.id });
  if (await isThere(trx.selectFrom('job').where('payload', '=', payload).select('id'))) {
    await retryJobs(trx, now()).where('payload', '=', payload).execute();
    wakeOnceCommitted(trx);
    return false;
  }
  const handled = trx
    .selectFrom('webhook_event')
    .where('id', '=', event.id)
    .where('handled_at', 'is not', null)
    .select('id');
  return !(await isThere(handled)) || isPaidButUnsettled(trx, provider.readEvent(event.payload));
}

/** What an event led to may be missing: it was not known to be ours, or a backup was restored. */
async function isPaidButUnsettled(
  db: DatabaseTransaction,
  news: ProviderNews | null,
): Promise<boolean> {
  if (news?.kind !== 'checkout-completed') return false;
  const settled = db
    .selectFrom('payment')
    .innerJoin('purchase', 'purchase.payment_id', 'payment.id')
    .where('session_id', '=', news.sessionId)
    .where('state', '=', 'settled')
    .select('payment.id');
  return !(await isThere(settled));
}

/**
 * Acts on a stored event once or many times, with the same result. Events of other products on
 * the same provider account, and kinds that mean nothing here, are left alone.
 */
export async function handleWebhook(context: ReviewContext, eventId: string): Promise<void> {
  const [event] = await readStored(context.db, eventId);
  if (!event) throw new Error(`There is no event ${eventId}`);
  if (event.mode === context.provider.mode) {
    const news = context.provider.readEvent(event.payload);
    if (news) await act(context, news);
  }
  await noteHandled(context.db, eventId, context.now());
}

const readStored = prepare((db, id: string) =>
  db.selectFrom('webhook_event').selectAll().where('id', '=', id),
);

const noteHandled = prepare((db, id: string, now: number) =>
  db.updateTable('webhook_event').set({ handled_at: now }).where('id', '=', id),
);

async function act(context: ReviewContext, news: ProviderNews): Promise<void> {
  switch (news.kind) {
    case 'checkout-completed':
    case 'checkout-ended':
      if (!(await fulfilPurchase(context, news.sessionId, news.toldAt))) {
        await refuseLoss(context, news.sessionId);
      }
      return;
    case 'payment-changed':
      await reviewPayment(context, news.paymentIntentId);
      return;
    // What creators are paid is followed by jobs: this is payments alone.
    case 'account-changed': {
      const { accountId } = news;
      return enqueue(context.db, 'follow-payout-account', { accountId, once: true }, context.now());
    }
    case 'payout-changed': {
      const { payoutId } = news;
      return enqueue(context.db, 'follow-payout', { payoutId, once: true }, context.now());
    }
  }
}

/** A sale that this database does not know must not be lost silently. @throws LostPurchaseError */
async function refuseLoss(context: ReviewContext, sessionId: string): Promise<void> {
  const session = await context.provider.retrieveCheckout(sessionId);
  if (!session || !(await isLost(context, session))) return;
  throw new LostPurchaseError(
    `The paid session ${sessionId} names a purchase that is not in this database. Was it restored from a backup? Run: npm run cli -- reconcile`,
  );
}
