import { nameLink } from '../../contract/links.ts';
import { SENTENCES, TEXTS } from '../../contract/texts.ts';
import { findAccess, isAccessSuspended } from '../access/access.ts';
import type { Database } from '../database/tables.ts';
import { requireWhole } from '../files/file-store.ts';
import { readInstallationId } from '../installation/match-installation.ts';
import { cannotStore } from '../lib/cannot-store.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Viewer } from '../lib/viewer.ts';
import { filesOfLink, findLink, requireDeliverable } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { enqueue } from '../outbox/jobs.ts';
import { beginPurchase } from '../payments/begin-purchase.ts';
import { CheckoutInProgressError } from '../payments/card-provider.ts';
import { type CheckoutContext, type CheckoutParty, closeCheckout } from '../payments/context.ts';
import { fingerprintFiles, readOfferedFiles } from '../payments/offered-files.ts';
import { ofVisitor } from '../payments/queries.ts';
import type { Purchase } from '../payments/tables.ts';

type CheckoutOffer =
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
  return unavailable(new Error('Parallel checkouts of one visitor keep replacing each other'));
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
    'The payment provider did not open a checkout. Nothing was charged. Please try again in a moment.',
    { cause },
  );
}

const DAMAGED =
  'A file of this link is damaged on our side, so it cannot be bought at the moment. Nothing was charged.';

const notFound = () => new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);

const MINUTE_MS = 60 * 1000;
/** An open session with less time left than this is not offered again. */
const SESSION_MARGIN_MS = 5 * MINUTE_MS;
/** The provider opens no session with less than 30 minutes left, and needs time to answer. */
const NEW_SESSION_MARGIN_MS = 31 * MINUTE_MS;

/**
 * Whether an open purchase may be paid by this party: the files of today at today's price, to the
 * same account, by the same buyer. Whoever signed in or out since then begins anew, so that it
 * lands in their account.
 */
async function isOfferable(
  db: Database,
  purchase: Purchase,
  link: Link,
  { visitor, account }: Pick<CheckoutParty, 'visitor' | 'account'>,
  now: number,
): Promise<boolean> {
  const timeLeft = purchase.expires_at - now;
  const hasTime = purchase.session_id
    ? purchase.checkout_url !== null && timeLeft > SESSION_MARGIN_MS
    : timeLeft > NEW_SESSION_MARGIN_MS;
  return (
    hasTime &&
    purchase.price_cents === link.price_cents &&
    purchase.provider_account === account &&
    purchase.buyer_id === visitor.buyer_id &&
    (await holdsWhatWasOffered(db, purchase))
  );
}

async function holdsWhatWasOffered(db: Database, { id, link_id }: Purchase): Promise<boolean> {
  const offered = await readOfferedFiles(db, id);
  const held = await db
    .selectFrom('link_file')
    .where('link_id', '=', link_id)
    .orderBy('position')
    .select('file_key')
    .execute();
  return (
    offered.length === held.length &&
    offered.every((key, position) => key === held[position]?.file_key)
  );
}

/**
 * Where an open purchase is paid. The purchase names its session by the idempotency key, so that
 * parallel requests, and one that takes over from a process that died, get the same session.
 * @returns the provider's hosted page; null when the provider gave none
 * @throws whatever kept the provider from opening it
 */
async function openSession(
  context: CheckoutContext,
  link: Link,
  { viewer }: CheckoutParty,
  purchase: Purchase,
): Promise<string | null> {
  if (purchase.session_id) return purchase.checkout_url;
  const { db, provider, publicUrl } = context;
  const session = await provider
    .createCheckout({
      purchaseId: purchase.id,
      linkId: link.id,
      installationId: await readInstallationId(db),
      feeCents: purchase.fee_cents,
      filesFingerprint: fingerprintFiles(await readOfferedFiles(db, purchase.id)),
      title: nameLink(link),
      priceCents: purchase.price_cents,
      currency: purchase.currency,
      buyerEmail: viewer.user?.email ?? null,
      successUrl: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${publicUrl}/p/${link.id}`,
      expiresAt: purchase.expires_at,
      idempotencyKey: `checkout-${purchase.id}-1`,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof CheckoutInProgressError)) await markFailed(context, purchase.id);
      throw error;
    });
  const kept = await db
    .updateTable('purchase')
    .set({ session_id: session.id, checkout_url: session.url })
    .where('id', '=', purchase.id)
    .where('state', 'in', ['open', 'processing', 'settled'])
    .returning('id')
    .executeTakeFirst();
  if (kept) return session.url;
  await enqueue(db, 'expire-checkout', { sessionId: session.id }, context.now());
  throw new Error(`Purchase ${purchase.id} ended before its checkout started`);
}

async function markFailed({ db }: CheckoutContext, purchaseId: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({ state: 'failed' })
    .where('id', '=', purchaseId)
    .where('state', '=', 'open')
    .where('session_id', 'is', null)
    .execute();
}
