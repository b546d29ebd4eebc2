import { nameLink } from '../../contract/name-link.ts';
import { SENTENCES, TEXTS } from '../../contract/texts.ts';
import { accessTo, type GivenRight, hasAll } from '../access/access.ts';
import { prepare } from '../database/prepare.ts';
import type { TypedCode } from '../discounts/typed-code.ts';
import { findDiscount } from '../discounts/use-discount.ts';
import { requireChecked } from '../files/check-file.ts';
import { requireWhole } from '../files/file-store.ts';
import { readInstallationId } from '../installation/match-installation.ts';
import { cannotStore, remedyFor } from '../lib/cannot-store.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Viewer } from '../lib/viewer.ts';
import { ALL_OWNED, INCOMPLETE, isComplete, partsOfVersion } from '../links/bundles.ts';
import { filesOfVersion, findLink, requireDeliverable } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { enqueue } from '../outbox/jobs.ts';
import { beginPurchase } from '../payments/begin-purchase.ts';
import { CheckoutInProgressError } from '../payments/card-provider.ts';
import { type CheckoutContext, type CheckoutParty, closeCheckout } from '../payments/context.ts';
import { type Gift, requireGiftsLeft } from '../payments/gifts.ts';
import { notePurchase } from '../payments/lost-purchase.ts';
import { ofVisitor, prepareOfVisitor } from '../payments/queries.ts';
import { type Quote, quote } from '../payments/quote.ts';
import type { Purchase } from '../payments/tables.ts';

type CheckoutOffer =
  | { kind: 'unlocked' }
  /** They named no price for what may be had without one. */
  | { kind: 'free'; isArchive: boolean }
  /** url: the provider's hosted page; null when the provider gave none. */
  | { kind: 'checkout'; url: string | null };

/** Parallel requests of one visitor overtake each other at most a few times. */
export const MAX_ATTEMPTS = 5;

interface CheckoutInput {
  linkId: string;
  viewer: Viewer & { claimHash: string };
  device: CheckoutParty['device'];
  /** Where they came from, as `contract/sources.ts` writes it. */
  source: string;
  code?: TypedCode | undefined;
  /** Cents that the buyer names, where the link lets them. */
  namedCents?: number | undefined;
  /** Whom they give it to. */
  gift?: Gift | null;
}

/**
 * Begins a visitor's purchase of a link and answers where to pay. Price and fee are fixed here.
 * A browser, and an account, has at most one open checkout of a link: it is offered again while it
 * fits, and ended at the provider before another one begins.
 * @throws DomainError LINK_NOT_FOUND, ACCESS_SUSPENDED, NOT_A_SELLER, LINK_PAUSED, LINK_BROKEN,
 * CONTENT_PENDING, FILE_REFUSED, FILE_DAMAGED, DISCOUNT_REFUSED, RATE_LIMITED, INVALID_PRICE,
 * GIFT_REFUSED, NOT_ON_SALE, CHECKOUT_UNAVAILABLE
 */
export async function startCheckout(
  context: CheckoutContext,
  input: CheckoutInput,
): Promise<CheckoutOffer> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const offer = await tryCheckout(context, input);
    if (offer) return offer;
  }
  return unavailable(new Error('Parallel checkouts of one visitor keep replacing each other'));
}

/** @returns null when another request of the visitor changed what this one had read */
async function tryCheckout(
  context: CheckoutContext,
  { linkId, viewer, device, source, code, namedCents, gift = null }: CheckoutInput,
): Promise<CheckoutOffer | null> {
  const { db, provider, publicUrl } = context;
  const link = await findLink(db, linkId);
  if (!link || link.taken_down_at !== null) throw notFound();
  const { claimHash: claim_hash, user } = viewer;
  const visitor = { link_id: link.id, claim_hash, buyer_id: user?.id ?? null };
  // Read before the access is looked for: what is paid in between is still found in one of them.
  const unfinished = await findUnfinished(db, visitor);
  const access = await accessTo({ db, viewer }, link);
  if (access.kind === 'granted') {
    // Who bought it may give it, but what is free to everyone is nobody's gift.
    const isPayable = ({ right: { kind } }: GivenRight) =>
      (kind === 'free' && link.least_cents === 0) || (kind === 'grant' && gift !== null);
    if (!access.rights.every(isPayable)) return { kind: 'unlocked' };
    if (namedCents === 0 && !gift) {
      const files = await filesOfVersion(db, link.id, link.content_version);
      return { kind: 'free', isArchive: files.length > 1 };
    }
  }
  // Someone who is owed the content, or the money back, must not pay for it again.
  if (access.kind === 'suspended') {
    throw new DomainError('ACCESS_SUSPENDED', SENTENCES.accessOnHold);
  }
  await requireOnSale(context, viewer, link, gift !== null);
  if (gift) await requireGiftsLeft(db, gift, visitor, context.now());
  const account = await provider.account().catch(unavailable);
  const party = { viewer, visitor, device, account };
  // A payment under way on another account of the provider cannot be asked after.
  const underWay = unfinished.find(
    (purchase) =>
      purchase.state === 'processing' &&
      purchase.provider_account === party.account &&
      isSameGift(purchase, gift),
  );
  if (underWay) {
    return { kind: 'checkout', url: `${publicUrl}/success?session_id=${underWay.session_id}` };
  }
  const discount = code ? await findDiscount(context, link, code.code, code.countGuess) : null;
  const offered = quote(link, context, { discount, namedCents });
  let offerable: Unfinished | undefined;
  for (const purchase of unfinished.filter(({ state }) => state === 'open')) {
    const isAlone = purchase.cart_id === null;
    if (
      !offerable &&
      isAlone &&
      isOfferable(context, purchase, { ...party, link, quote: offered, gift })
    ) {
      offerable = purchase;
    } else if ((await supersede(context, purchase)) === 'overtaken') return null;
  }
  const purchase =
    offerable ?? (await beginPurchase(context, { ...party, link, quote: offered, source, gift }));
  if (!purchase) return null;
  const url = await openSession(context, link, party, purchase, offered).catch(unavailable);
  return { kind: 'checkout', url };
}

/** With the discount that it was agreed on by. */
export type Unfinished = Purchase & { discount_id: string | null };

export const findUnfinished = prepareOfVisitor<Unfinished>((db, visitor) =>
  db
    .selectFrom('purchase')
    .leftJoin('purchase_discount', 'purchase_discount.purchase_id', 'purchase.id')
    .selectAll('purchase')
    .select('discount_id')
    .where(ofVisitor(visitor))
    .where('state', 'in', ['open', 'processing']),
);

/**
 * @param isGift whether the viewer buys it for somebody else
 * @throws DomainError LINK_NOT_FOUND, NOT_A_SELLER, LINK_PAUSED, LINK_BROKEN, CONTENT_PENDING,
 * FILE_REFUSED, FILE_DAMAGED, NOT_ON_SALE for a bundle that lacks a part, or of which the viewer has
 * them all
 */
export async function requireOnSale(
  { db, store, requireSeller }: CheckoutContext,
  viewer: Viewer,
  link: Link,
  isGift = false,
): Promise<void> {
  if (link.deleted_at !== null) throw notFound();
  await requireSeller(link.owner_id);
  if (link.paused) {
    throw new DomainError(
      'LINK_PAUSED',
      'The creator has paused this link. Please try again later.',
    );
  }
  requireDeliverable(link);
  const parts =
    link.type === 'bundle' ? await partsOfVersion(db, link.id, link.content_version) : [];
  if (link.type === 'bundle') {
    if (!isComplete(parts)) throw notOnSale(INCOMPLETE);
    if (!isGift && (await hasAll({ db, viewer }, parts))) throw notOnSale(ALL_OWNED);
  }
  for (const { id, content_version } of [link, ...parts]) {
    for (const file of await filesOfVersion(db, id, content_version)) {
      requireChecked(file, 'bought', id);
      await requireWhole(store, file, id, DAMAGED);
    }
  }
}

const notOnSale = (why: string) => new DomainError('NOT_ON_SALE', `${why} Nothing was charged.`);

/**
 * A payment in progress is never requested twice: the old checkout ends before the new one starts.
 */
async function supersede(
  context: CheckoutContext,
  { id, session_id: sessionId }: Purchase,
): Promise<'ended' | 'overtaken'> {
  const closed = sessionId ? await closeCheckout(context, sessionId).catch(unavailable) : null;
  if (closed?.state === 'settled' || closed?.state === 'processing') return 'overtaken';
  const ended = await context.db
    .updateTable('purchase')
    .set({ state: 'expired' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  // What nobody closed and is open no longer may have been paid meanwhile.
  return ended || closed ? 'ended' : 'overtaken';
}

export function unavailable(cause: unknown): never {
  // What database and storage say, also where the provider is asked between them.
  const isBusy = cause instanceof DomainError && cause.code === 'UNAVAILABLE';
  if (isBusy || cannotStore(cause) || remedyFor(cause) !== null) throw cause;
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
 * Whether an open purchase may be paid by this party: the version on sale at today's price, by
 * the same discount, to the same account, by the same buyer and for the same person. Whoever signed in or out since then
 * begins anew, so that it lands in their account.
 */
export function isOfferable(
  { now }: CheckoutContext,
  purchase: Unfinished,
  {
    visitor,
    account,
    link,
    quote,
    gift = null,
  }: CheckoutParty & { link: Link; quote: Quote; gift?: Gift | null },
): boolean {
  const timeLeft = purchase.expires_at - now();
  const hasTime = purchase.session_id
    ? purchase.checkout_url !== null && timeLeft > SESSION_MARGIN_MS
    : timeLeft > NEW_SESSION_MARGIN_MS;
  return (
    hasTime &&
    purchase.price_cents === quote.agreedCents &&
    purchase.discount_id === (quote.discount?.id ?? null) &&
    purchase.taxed === Number(quote.taxed) &&
    purchase.provider_account === account &&
    purchase.buyer_id === visitor.buyer_id &&
    purchase.content_version === link.content_version &&
    isSameGift(purchase, gift)
  );
}

const isSameGift = (purchase: Unfinished, gift: Gift | null): boolean =>
  purchase.gift_email === (gift?.email ?? null) &&
  purchase.gift_message === (gift?.message ?? null);

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
  { discount }: Quote,
): Promise<string | null> {
  if (purchase.session_id) return purchase.checkout_url;
  const { db, provider, publicUrl } = context;
  const session = await provider
    .createCheckout({
      cartId: null,
      installationId: await readInstallationId(db),
      lines: [{ title: nameLink(link), ...(await notePurchase(db, link, purchase)) }],
      taxed: purchase.taxed === 1,
      currency: purchase.currency,
      buyerEmail: viewer.user?.email ?? null,
      successUrl: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${publicUrl}/p/${link.id}${describeReturn(purchase, discount)}`,
      expiresAt: purchase.expires_at,
      idempotencyKey: `checkout-${purchase.id}-1`,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof CheckoutInProgressError)) await markFailed(context, purchase.id);
      throw error;
    });
  const [kept] = await writeSession(db, purchase.id, session);
  if (kept) return session.url;
  await enqueue(db, 'expire-checkout', { sessionId: session.id }, context.now());
  throw new Error(`Purchase ${purchase.id} ended before its checkout started`);
}

const writeSession = prepare(
  (db, purchaseId: string, { id, url }: { id: string; url: string | null }) =>
    db
      .updateTable('purchase')
      .set({ session_id: id, checkout_url: url })
      .where('id', '=', purchaseId)
      .where('state', 'in', ['open', 'processing', 'settled'])
      .returning('id'),
);

/** Whoever comes back unpaid finds the lower price or their gift, and still comes from where they came. */
function describeReturn(purchase: Purchase, discount: Quote['discount']): string {
  const { source, gift_email } = purchase;
  const said = new URLSearchParams({
    ...(discount && { code: discount.code }),
    ...(gift_email !== null && { gift: '' }),
    ...(source !== null && source !== 'direct' && { from: source }),
  });
  return said.size > 0 ? `?${said}` : '';
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
