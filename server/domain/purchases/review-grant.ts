import type { PaymentReport } from './card-provider.ts';
import type { FulfilmentContext } from './fulfil-purchase.ts';
import type { AccessGrant } from './tables.ts';

/**
 * Brings a grant to what the provider says of its payment now: suspended while a dispute is open,
 * ended by a full refund or a lost dispute, active otherwise - also again, when a dispute is won
 * or a refund failed. Events come in any order, so none of them is taken at its word. A payment
 * that is not ours changes nothing.
 */
export async function reviewGrant(
  { db, provider, now }: FulfilmentContext,
  paymentIntentId: string,
): Promise<void> {
  const purchase = await db
    .selectFrom('purchase')
    .where('payment_intent_id', '=', paymentIntentId)
    .select('id')
    .executeTakeFirst();
  if (!purchase) return;
  const state = grantStateOf(await provider.retrievePayment(paymentIntentId));
  await db
    .updateTable('access_grant')
    .set({ state, updated_at: now() })
    .where('purchase_id', '=', purchase.id)
    .where('state', '!=', state)
    .execute();
}

function grantStateOf(payment: PaymentReport): AccessGrant['state'] {
  if (payment.refundedCents >= payment.amountCents || payment.dispute === 'lost') return 'ended';
  return payment.dispute === 'open' ? 'suspended' : 'active';
}
