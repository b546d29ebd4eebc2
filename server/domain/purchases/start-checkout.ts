import { SENTENCES, TEXTS } from '../../../contract/texts.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { cannotStore } from '../cannot-store.ts';
import { DomainError } from '../domain-error.ts';
import { requireWhole } from '../files/find-damage.ts';
import { filesOfLink, findLink } from '../links/queries.ts';
import { requireDeliverable } from '../links/require-deliverable.ts';
import type { Link } from '../links/tables.ts';
import { findAccess, isAccessSuspended } from './access.ts';
import { beginPurchase } from './begin-purchase.ts';
import type { CheckoutContext, CheckoutParty } from './checkout-context.ts';
import { closeCheckout } from './close-checkout.ts';
import { isOfferable } from './is-offerable.ts';
import { openSession } from './open-session.ts';
import { ofVisitor } from './rival-purchases.ts';
import type { Purchase } from './tables.ts';

export type CheckoutOffer =
  | { kind: 'unlocked' }
  /** url: the provider's hosted page; null when the provider gave none. */
  | { kind: 'checkout'; url: string | null };

/** Parallel requests of one visitor overtake each other at most a few times. */
const MAX_ATTEMPTS = 5;

/**
 * Begins a visitor's purchase of a link and answers where to pay. Price and fee are fixed here.
 * A browser, and an account, has at most one open checkout of a link: it is offered again while it
 * fits, and ended at the provider before another one begins.
 * @throws DomainError LINK_NOT_FOUND, ACCESS_SUSPENDED, LINK_PAUSED, LINK_BROKEN, FILE_DAMAGED,
 * CHECKOUT_UNAVAILABLE
 */
export async function startCheckout(
  context: CheckoutContext,
  linkId: string,
  viewer: Viewer,
  claimHash: string,
): Promise<CheckoutOffer> {
  const { db, provider } = context;
  const link = await findLink(db, linkId);
  if (!link || link.taken_down_at !== null) throw notFound();
  if (await findAccess(db, viewer, link)) return { kind: 'unlocked' };
  // Who is owed the content, or the money back, is not to pay for it again.
  if (await isAccessSuspended(db, viewer, link)) {
    throw new DomainError('ACCESS_SUSPENDED', SENTENCES.accessOnHold);
  }
  if (link.deleted_at !== null) throw notFound();
  if (link.paused) {
    throw new DomainError(
      'LINK_PAUSED',
      'The creator has paused this link. Please try again later.',
    );
  }
  requireDeliverable(link);
  for (const file of await filesOfLink(db, link.id)) {
    await requireWhole(context.store, file, link.id, DAMAGED);
  }
  const party: CheckoutParty = {
    viewer,
    visitor: { link_id: link.id, claim_hash: claimHash, buyer_id: viewer.user?.id ?? null },
    account: await provider.account().catch(unavailable),
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const offer = await tryCheckout(context, link, party);
    if (offer) return offer;
  }
  return unavailable(new Error('Parallel checkouts of one visitor do not come to an end'));
}

/** @returns null when another request of the visitor changed what this one had read */
async function tryCheckout(
  context: CheckoutContext,
  link: Link,
  party: CheckoutParty,
): Promise<CheckoutOffer | null> {
  const unfinished = await findUnfinished(context, party);
  const underWay = unfinished.find(({ state }) => state === 'processing');
  if (underWay) {
    return {
      kind: 'checkout',
      url: `${context.publicUrl}/success?session_id=${underWay.session_id}`,
    };
  }
  let offerable: Purchase | undefined;
  for (const purchase of unfinished) {
    if (!offerable && (await isOfferable(context.db, purchase, link, party, context.now()))) {
      offerable = purchase;
    } else if ((await supersede(context, purchase)) === 'paid') return null;
  }
  if (await findAccess(context.db, party.viewer, link)) return { kind: 'unlocked' };
  const purchase = offerable ?? (await beginPurchase(context, link, party));
  if (!purchase) return null;
  return {
    kind: 'checkout',
    url: await openSession(context, link, party, purchase).catch(unavailable),
  };
}

/** A payment under way on another account of the provider cannot be asked after. */
function findUnfinished({ db }: CheckoutContext, party: CheckoutParty): Promise<Purchase[]> {
  return db
    .selectFrom('purchase')
    .selectAll()
    .where(ofVisitor(party.visitor))
    .where(({ eb, and, or }) =>
      or([
        eb('state', '=', 'open'),
        and([eb('state', '=', 'processing'), eb('provider_account', '=', party.account)]),
      ]),
    )
    .execute();
}

/** A payment under way is never asked for twice: the old checkout ends before the new one begins. */
async function supersede(
  context: CheckoutContext,
  { id, session_id: sessionId }: Purchase,
): Promise<'ended' | 'paid'> {
  const closed = sessionId ? await closeCheckout(context, sessionId).catch(unavailable) : null;
  if (closed?.state === 'settled' || closed?.state === 'processing') return 'paid';
  await context.db
    .updateTable('purchase')
    .set({ state: 'expired' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
  return 'ended';
}

function unavailable(cause: unknown): never {
  if (cannotStore(cause)) throw cause;
  throw new DomainError(
    'CHECKOUT_UNAVAILABLE',
    'The payment provider opened no checkout. Nothing was charged. Please try again in a moment.',
    { cause },
  );
}

const DAMAGED =
  'A file of this link is damaged on our side, so it cannot be bought at the moment. Nothing was charged.';

const notFound = () => new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
