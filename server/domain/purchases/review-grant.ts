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
  context: FulfilmentContext,
  paymentIntentId: string,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (await reviewOnce(context, paymentIntentId)) return;
  }
  throw new Error(`The grant of ${paymentIntentId} changes too fast to be reviewed`);
}

/** Of parallel reviews only one that nobody overtook may write: an older answer never wins. */
const MAX_ATTEMPTS = 10;

async function reviewOnce(
  { db, provider, now, publish }: FulfilmentContext,
  paymentIntentId: string,
): Promise<boolean> {
  const grant = await db
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .where('purchase.payment_intent_id', '=', paymentIntentId)
    .select([
      'access_grant.id',
      'access_grant.state',
      'access_grant.updated_at',
      'purchase.link_id',
      'purchase.seller_id',
    ])
    .executeTakeFirst();
  if (!grant) return true;
  const state = grantStateOf(await provider.retrievePayment(paymentIntentId));
  const written = await db
    .updateTable('access_grant')
    .set({ state, updated_at: Math.max(now(), grant.updated_at + 1) })
    .where('id', '=', grant.id)
    .where('updated_at', '=', grant.updated_at)
    .returning('id')
    .executeTakeFirst();
  if (!written) return false;
  if (state !== grant.state) {
    const { id: grantId, link_id: id, seller_id: ownerId } = grant;
    publish({ kind: 'access-changed', id, ownerId, grantId });
  }
  return true;
}

function grantStateOf(payment: PaymentReport): AccessGrant['state'] {
  if (payment.refundedCents >= payment.amountCents || payment.dispute === 'lost') return 'ended';
  return payment.dispute === 'open' ? 'suspended' : 'active';
}
