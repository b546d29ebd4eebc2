import { createHash, randomBytes } from 'node:crypto';
import { type FeeRate, feeOf, formatCents } from '../../../contract/money.ts';
import { findLink } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { insertPurchase } from './begin-purchase.ts';
import type { CheckoutSession } from './card-provider.ts';
import { findPurchase, fulfilPurchase } from './fulfil-purchase.ts';
import { isGivenBack, type ReviewContext } from './review-payment.ts';

/** A session of this installation was paid, and its purchase is not in this database. */
export class LostPurchaseError extends Error {
  override name = 'LostPurchaseError';
}

export interface RecoveryContext extends ReviewContext {
  fee: FeeRate;
}

/**
 * Whether a paid session was opened by this installation although its purchase is not here: the
 * database was restored from an older backup. Other products may share the provider's account, and
 * nothing is owed for what was given back.
 */
export async function isLost(
  { db, provider, publicUrl }: ReviewContext,
  { purchaseId, linkId, paid, successUrl, paymentIntentId }: CheckoutSession,
): Promise<boolean> {
  if (!paid || !purchaseId || (await findPurchase(db, purchaseId))) return false;
  const isOurs =
    successUrl?.startsWith(`${publicUrl}/`) || (linkId && (await findLink(db, linkId)));
  if (!isOurs) return false;
  return !paymentIntentId || !isGivenBack(await provider.retrievePayment(paymentIntentId));
}

/**
 * Writes a lost purchase again from what the provider knows of it, and settles it. The browser
 * that paid cannot be known any more: its buyer gets the personal link by mail. Nothing is guessed:
 * what was paid must be what the link costs now.
 * @returns what keeps it from being recovered, or null when it is
 */
export async function recoverPurchase(
  context: RecoveryContext,
  session: CheckoutSession,
): Promise<string | null> {
  const { db, provider, publicUrl, fee } = context;
  const link = session.linkId ? await findLink(db, session.linkId) : undefined;
  if (!link || !session.purchaseId) return 'its link is not in this database';
  const obstacle = findObstacle(session, link, publicUrl);
  if (obstacle) return obstacle;
  const purchase = {
    id: session.purchaseId,
    link_id: link.id,
    seller_id: link.owner_id,
    buyer_id: null,
    claim_hash: createHash('sha256').update(randomBytes(32)).digest('hex'),
    price_cents: session.subtotalCents,
    fee_cents: feeOf(session.subtotalCents, fee),
    currency: session.currency,
    mode: provider.mode,
    provider_account: await provider.account(),
    session_id: session.id,
    checkout_url: null,
    payment_intent_id: null,
    buyer_email: session.buyerEmail,
    state: 'expired',
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    settled_at: null,
  } as const;
  await db.transaction().execute((transaction) => insertPurchase(transaction, purchase));
  await fulfilPurchase(context, session.id);
  return null;
}

/** Why a lost purchase cannot be written again by itself, or null. */
function findObstacle(
  { subtotalCents, currency, buyerEmail, successUrl, paymentIntentId }: CheckoutSession,
  link: Link,
  publicUrl: string,
): string | null {
  if (!successUrl?.startsWith(`${publicUrl}/`)) {
    return `it was opened by an installation at another address than ${publicUrl}`;
  }
  if (link.taken_down_at !== null) return 'its link was taken down';
  if (currency !== 'usd' || !paymentIntentId) return 'it was not paid in US dollars';
  if (subtotalCents !== link.price_cents) {
    return `its link costs ${formatCents(link.price_cents)} now (recover it by setting that price for a moment)`;
  }
  return buyerEmail ? null : 'no e-mail address is known to send it to';
}
