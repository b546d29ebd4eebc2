import { changeGrant } from './change-grant.ts';
import { type FulfilmentContext, fulfilPurchase } from './fulfil-purchase.ts';

/** The part of a provider's event that is read here; ids only, the rest is asked for afresh. */
interface EventBody {
  type: string;
  data: {
    object: {
      id: string;
      status?: string | null;
      payment_intent?: string | { id: string } | null;
      amount?: number;
      amount_refunded?: number;
    };
  };
}

/**
 * Acts on a stored event once or many times, with the same result. Events of other products on
 * the same provider account, and kinds that mean nothing here, are left alone.
 */
export async function handleWebhook(context: FulfilmentContext, eventId: string): Promise<void> {
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

async function act(context: FulfilmentContext, { type, data }: EventBody): Promise<void> {
  const { db, now } = context;
  const object = data.object;
  const payment = paymentIntentOf(object.payment_intent);
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      await fulfilPurchase(context, object.id);
      return;
    case 'checkout.session.async_payment_failed':
      await fulfilPurchase(context, object.id);
      await failPurchase(context, object.id);
      return;
    case 'charge.refunded':
      if (payment && object.amount === object.amount_refunded) {
        await changeGrant(db, payment, 'ended', now());
      }
      return;
    case 'charge.dispute.created':
      // An inquiry (warning_*) withdraws no money and takes nothing from the buyer.
      if (payment && !object.status?.startsWith('warning_')) {
        await changeGrant(db, payment, 'suspended', now());
      }
      return;
    case 'charge.dispute.closed':
      if (payment && object.status === 'won') await changeGrant(db, payment, 'active', now());
      if (payment && object.status === 'lost') await changeGrant(db, payment, 'ended', now());
  }
}

function paymentIntentOf(value: EventBody['data']['object']['payment_intent']): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

/** A delayed payment that did not come: the visitor may try again. */
async function failPurchase({ db }: FulfilmentContext, sessionId: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({ state: 'failed' })
    .where('session_id', '=', sessionId)
    .where('state', 'in', ['open', 'processing'])
    .execute();
}
