import { createHash, randomBytes } from 'node:crypto';
import { seenText } from '../../../contract/characters.ts';
import { formatCents } from '../../../contract/money.ts';
import { findLink } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { readInstallationId, readTestReset } from '../../ground/database/installation.ts';
import { addressOfBuyer, addressOfRecipient } from '../../ground/database/mailbox-of.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { insertPurchase } from '../../selling/purchases/begin-purchase.ts';
import type { CheckoutSession, NotedPurchase } from '../../selling/purchases/card-provider.ts';
import { findVersionWith } from '../../selling/purchases/content-fingerprint.ts';
import { fulfilPurchase } from '../../selling/purchases/fulfil-purchase.ts';
import { paymentKind } from '../../selling/purchases/payment-kind.ts';
import { findPurchase } from '../../selling/purchases/queries.ts';
import { writeParts } from '../../selling/purchases/sold-parts.ts';
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
 * Writes the purchases of a lost payment again from what the provider knows of it, and settles
 * them. The browser that paid cannot be known any more: its buyer, or the recipient of a gift,
 * gets the personal links by mail. What was paid must be what the links cost now, and what was bought, versions that are still
 * here.
 * @returns what keeps it from being recovered, or null when it is
 */
export async function recoverPurchase(
  context: ReviewContext,
  session: CheckoutSession,
): Promise<string | null> {
  const { db, provider } = context;
  const { lines, buyerEmail, paymentId } = session;
  if (!paymentId || lines.length === 0) return 'what was bought is not noted with it';
  const notedCents = lines.reduce((sum, { agreedCents }) => sum + agreedCents, 0);
  if (notedCents !== session.subtotalCents) return 'what is noted with it is not what was paid';
  if (session.currency !== 'usd' || !session.paymentIntentId) {
    return 'it was not paid in US dollars';
  }
  if (!buyerEmail) return 'there is no known email address to send it to';
  const claim_hash = createHash('sha256').update(randomBytes(32)).digest('hex');
  const provider_account = await provider.account();
  const purchases: Parameters<typeof insertPurchase>[1][] = [];
  const bundles = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const sold = await findSold(db, line);
    if (typeof sold === 'string') {
      return paymentKind(lines).describeFault(line.linkId, sold);
    }
    const { link, content_version } = sold;
    if (link.type === 'bundle') bundles.add(link.id);
    purchases.push({
      id: line.purchaseId,
      payment_id: paymentId,
      line: index + 1,
      link_id: link.id,
      content_version,
      seller_id: link.owner_id,
      buyer_id: null,
      claim_hash,
      price_cents: line.agreedCents,
      list_cents: null,
      source: null,
      fee_cents: line.feeCents,
      taxed: Number(session.taxed),
      currency: session.currency,
      mode: provider.mode,
      provider_account,
      ...addressOfBuyer(buyerEmail),
      state: 'expired',
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      buyer_address: null,
      buyer_browser: null,
      language: 'en',
      title: seenText(link.title),
      ...addressOfRecipient(line.gift?.email ?? null),
      gift_message: line.gift?.message ?? null,
    });
  }
  await transaction(db, async (trx) => {
    for (const purchase of purchases) {
      const written = await insertPurchase(trx, purchase);
      if (written && bundles.has(written.link_id)) await writeParts(trx, written);
    }
  });
  await fulfilPurchase(context, session.id);
  return null;
}

/** What was bought, or why it cannot be sold again by itself. */
async function findSold(
  db: Database,
  { linkId, agreedCents, contentFingerprint }: NotedPurchase,
): Promise<{ link: Link; content_version: number } | string> {
  const link = await findLink(db, linkId);
  if (!link) return 'its link is not in this database';
  if (link.taken_down_at !== null) return 'its link was taken down';
  const { least_cents: leastCents } = link;
  const isPrice = leastCents === null && agreedCents === link.price_cents;
  if (!isPrice && !(leastCents !== null && agreedCents >= leastCents)) {
    return `its link now costs $${formatCents(link.price_cents)} (recover it by setting that price for a moment)`;
  }
  const content_version = await findVersionWith(db, link, contentFingerprint);
  if (content_version === undefined) return 'its link has no version with what was paid for';
  return { link, content_version };
}
