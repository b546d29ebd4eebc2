import { randomUUID } from 'node:crypto';
import { type FeeRate, feeOf } from '../../../contract/money.ts';
import { TEXTS } from '../../../contract/texts.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { DomainError } from '../domain-error.ts';
import { findLink } from '../links/queries.ts';
import { requireDeliverable } from '../links/require-deliverable.ts';
import type { Link } from '../links/tables.ts';
import type { Database } from '../tables.ts';
import { findAccess } from './access.ts';
import type { CardProvider } from './card-provider.ts';

/** The provider's minimum is 30 minutes; latency makes exactly 30 an error. */
const CHECKOUT_LIFETIME_MS = 35 * 60 * 1000;
/** An open checkout with less time left than this is not offered again. */
const REUSE_MARGIN_MS = 5 * 60 * 1000;

export interface CheckoutContext {
  db: Database;
  provider: CardProvider;
  fee: FeeRate;
  /** Origin without a trailing slash. */
  publicUrl: string;
  now: () => number;
}

export type CheckoutOffer =
  | { kind: 'unlocked' }
  /** url: the provider's hosted page; null when the provider gave none. */
  | { kind: 'checkout'; url: string | null };

/**
 * Begins a visitor's purchase of a link and answers where to pay.
 * Price and fee are fixed here; the same visitor's open checkout is offered again.
 * @throws DomainError LINK_NOT_FOUND, LINK_PAUSED, LINK_BROKEN, CHECKOUT_UNAVAILABLE
 */
export async function startCheckout(
  context: CheckoutContext,
  linkId: string,
  viewer: Viewer,
  claimHash: string,
): Promise<CheckoutOffer> {
  const { db, provider, now } = context;
  const link = await findLink(db, linkId);
  if (!link || link.taken_down_at !== null) throw notFound();
  if (await findAccess(db, viewer, link)) return { kind: 'unlocked' };
  if (link.deleted_at !== null) throw notFound();
  if (link.paused) {
    throw new DomainError(
      'LINK_PAUSED',
      'The seller has paused this link. Please try again later.',
    );
  }
  requireDeliverable(link);
  const account = await provider.account().catch(unavailable);
  const buyerId = viewer.user?.id ?? null;
  const open = await findOpenCheckout(context, link, { claimHash, buyerId }, account);
  if (open) return { kind: 'checkout', url: open };

  const purchaseId = randomUUID();
  const expiresAt = now() + CHECKOUT_LIFETIME_MS;
  await db
    .insertInto('purchase')
    .values({
      id: purchaseId,
      link_id: link.id,
      seller_id: link.owner_id,
      buyer_id: buyerId,
      claim_hash: claimHash,
      price_cents: link.price_cents,
      fee_cents: feeOf(link.price_cents, context.fee),
      currency: 'usd',
      mode: provider.mode,
      provider_account: account,
      session_id: null,
      checkout_url: null,
      payment_intent_id: null,
      buyer_email: null,
      state: 'open',
      created_at: now(),
      expires_at: expiresAt,
      settled_at: null,
    })
    .execute();
  const session = await provider
    .createCheckout({
      purchaseId,
      linkId: link.id,
      title: link.title ?? `Paid link ${link.id}`,
      priceCents: link.price_cents,
      currency: 'usd',
      buyerEmail: viewer.user?.email ?? null,
      successUrl: `${context.publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${context.publicUrl}/failed?link=${link.id}`,
      expiresAt,
      idempotencyKey: `checkout-${purchaseId}-1`,
    })
    .catch(async (error: unknown) => {
      await markFailed(db, purchaseId);
      return unavailable(error);
    });
  await db
    .updateTable('purchase')
    .set({ session_id: session.id, checkout_url: session.url })
    .where('id', '=', purchaseId)
    .execute();
  return { kind: 'checkout', url: session.url };
}

function unavailable(cause: unknown): never {
  throw new DomainError(
    'CHECKOUT_UNAVAILABLE',
    'The payment provider opened no checkout. Nothing was charged. Please try again in a moment.',
    { cause },
  );
}

const notFound = () => new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);

/** Where a purchase already begun goes on: a payment under way is never asked for twice. */
async function findOpenCheckout(
  { db, publicUrl, now }: CheckoutContext,
  link: Link,
  { claimHash, buyerId }: { claimHash: string; buyerId: string | null },
  account: string,
): Promise<string | null> {
  const purchases = await db
    .selectFrom('purchase')
    .where('claim_hash', '=', claimHash)
    .where('link_id', '=', link.id)
    .where('state', 'in', ['open', 'processing'])
    .where('provider_account', '=', account)
    // Whoever signed in or out since then begins anew, so that the purchase lands in their account.
    .where('buyer_id', buyerId === null ? 'is' : '=', buyerId)
    .where('session_id', 'is not', null)
    .select(['state', 'session_id', 'checkout_url', 'price_cents', 'expires_at'])
    .execute();
  const underWay = purchases.find(({ state }) => state === 'processing');
  if (underWay) return `${publicUrl}/success?session_id=${underWay.session_id}`;
  const open = purchases.find(
    ({ price_cents, expires_at }) =>
      price_cents === link.price_cents && expires_at > now() + REUSE_MARGIN_MS,
  );
  return open?.checkout_url ?? null;
}

async function markFailed(db: Database, purchaseId: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({ state: 'failed' })
    .where('id', '=', purchaseId)
    .where('state', '=', 'open')
    .execute();
}
