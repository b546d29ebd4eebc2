import { createHash, randomBytes } from 'node:crypto';
import { formatCents } from '../../contract/money.ts';
import { transaction } from '../database/transaction.ts';
import { readInstallationId, readTestReset } from '../installation/match-installation.ts';
import { findLink } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { insertPurchase } from './begin-purchase.ts';
import type { CheckoutSession } from './card-provider.ts';
import { findVersionWith } from './content-fingerprint.ts';
import { findPurchase, fulfilPurchase } from './fulfil-purchase.ts';
import { isGivenBack, type ReviewContext } from './review-payment.ts';

/** A checkout session of this installation was paid, but its purchase is not in this database. */
export class LostPurchaseError extends Error {
  override name = 'LostPurchaseError';
}

/**
 * Whether a paid session was opened by this installation although its purchase is not here: the
 * database was restored from an older backup. Nothing is owed for what was given back, or for test
 * payments whose purchases were removed on purpose.
 */
export async function isLost(context: ReviewContext, session: CheckoutSession): Promise<boolean> {
  const { db, provider } = context;
  const { purchaseId, paid, paymentIntentId } = session;
  if (!paid || !purchaseId || (await findPurchase(db, purchaseId))) return false;
  if (!(await isOurs(context, session))) return false;
  if (provider.mode === 'test' && session.createdAt <= (await readTestReset(db))) return false;
  return !paymentIntentId || !isGivenBack(await provider.retrievePayment(paymentIntentId));
}

/**
 * Other installations may share the provider's account: with the same address on other machines,
 * or with the same id as copies that try something out at another address.
 */
async function isOurs(
  { db, publicUrl }: ReviewContext,
  { installationId, successUrl }: CheckoutSession,
): Promise<boolean> {
  if (!successUrl?.startsWith(`${publicUrl}/`)) return false;
  return installationId === (await readInstallationId(db));
}

/**
 * Writes a lost purchase again from what the provider knows of it, and settles it. The browser
 * that paid cannot be known any more: its buyer gets the personal link by mail. What was paid must
 * be what the link costs now, and what was bought, a version that is still here.
 * @returns what keeps it from being recovered, or null when it is
 */
export async function recoverPurchase(
  context: ReviewContext,
  session: CheckoutSession,
): Promise<string | null> {
  const { db, provider } = context;
  const link = session.linkId ? await findLink(db, session.linkId) : undefined;
  if (!link || !session.purchaseId) return 'its link is not in this database';
  const { feeCents } = session;
  if (feeCents === null) return 'its fee is not noted with it';
  const obstacle = findObstacle(session, link);
  if (obstacle) return obstacle;
  const content_version = await findVersionWith(db, link, session.contentFingerprint);
  if (content_version === undefined) return 'its link has no version with what was paid for';
  const purchase = {
    id: session.purchaseId,
    link_id: link.id,
    content_version,
    seller_id: link.owner_id,
    buyer_id: null,
    claim_hash: createHash('sha256').update(randomBytes(32)).digest('hex'),
    price_cents: session.subtotalCents,
    list_cents: null,
    fee_cents: feeCents,
    taxed: Number(session.taxed),
    tax_cents: 0,
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
    ...{ available_on: null, watch_at: null, undelivered_at: null, receipt_refused_at: null },
    ...{ refunded_because: null, buyer_address: null, buyer_browser: null },
    title: link.title,
  } as const;
  await transaction(db, (trx) => insertPurchase(trx, purchase));
  await fulfilPurchase(context, session.id);
  return null;
}

/** Why a lost purchase cannot be written again by itself, or null. */
function findObstacle(
  { subtotalCents, currency, buyerEmail, paymentIntentId }: CheckoutSession,
  link: Link,
): string | null {
  if (link.taken_down_at !== null) return 'its link was taken down';
  if (currency !== 'usd' || !paymentIntentId) return 'it was not paid in US dollars';
  const { least_cents: leastCents } = link;
  const isPrice = leastCents === null && subtotalCents === link.price_cents;
  if (!isPrice && !(leastCents !== null && subtotalCents >= leastCents)) {
    return `its link now costs $${formatCents(link.price_cents)} (recover it by setting that price for a moment)`;
  }
  return buyerEmail ? null : 'there is no known email address to send it to';
}
