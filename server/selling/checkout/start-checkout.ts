import { SENTENCES, TEXTS } from '../../../contract/texts.ts';
import { ALL_OWNED, INCOMPLETE, isComplete, partsOfVersion } from '../../catalog/links/bundles.ts';
import { filesOfVersion, findLink, requireDeliverable } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { requireChecked } from '../../files/check-file.ts';
import { requireWhole } from '../../files/file-store.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { accessTo, type GivenRight, hasAll } from '../access/access.ts';
import type { TypedCode } from '../discounts/typed-code.ts';
import { findDiscount } from '../discounts/use-discount.ts';
import type { CheckoutContext, CheckoutParty } from '../purchases/context.ts';
import { notOnSale } from '../purchases/copies-left.ts';
import { type Gift, refusedGift, requireGiftsLeft } from '../purchases/gifts.ts';
import { visitorOf } from '../purchases/queries.ts';
import { quote } from '../purchases/quote.ts';
import {
  findUnderWay,
  findUnfinished,
  type Opened,
  openCheckout,
  unavailable,
  untilUndisturbed,
} from './open-checkout.ts';

type CheckoutOffer =
  | Opened
  /** They named no price for what may be had without one. */
  | { kind: 'free'; isArchive: boolean };

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
  return untilUndisturbed(() => tryCheckout(context, input));
}

/** @returns null when another request of the visitor changed what this one had read */
async function tryCheckout(
  context: CheckoutContext,
  { linkId, viewer, device, source, code, namedCents, gift = null }: CheckoutInput,
): Promise<CheckoutOffer | null> {
  const { db, provider } = context;
  const link = await findLink(db, linkId);
  if (!link || link.taken_down_at !== null) throw notFound();
  const visitor = visitorOf(viewer, link.id);
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
  const underWay = findUnderWay(context, unfinished, { account, gift });
  if (underWay !== null) return { kind: 'checkout', url: underWay };
  const discount = code ? await findDiscount(context, link, code.code, code.countGuess) : null;
  const offered = quote(link, context, { discount, namedCents });
  // Or strangers could have anybody mailed to at no cost.
  if (gift && offered.agreedCents === 0) throw refusedGift(GIVEN_BY_CODE);
  return openCheckout(context, {
    lines: [{ link, quote: offered, source, gift }],
    party: { viewer, visitor, device, account },
    unfinished,
  });
}

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
      'The seller has paused this link. Please try again later.',
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

const GIVEN_BY_CODE =
  'With this code it costs nothing, so there is nothing to give. Send them the code instead.';

const DAMAGED =
  'A file of this link is damaged on our side, so it cannot be bought at the moment. Nothing was charged.';

const notFound = () => new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
