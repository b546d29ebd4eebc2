import { SENTENCES, TEXTS } from '../../contract/texts.ts';
import { accessTo } from '../access/access.ts';
import type { Database } from '../database/tables.ts';
import { findDiscount } from '../discounts/use-discount.ts';
import { MAX_CART_LINES } from '../lib/cart-parts.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Viewer } from '../lib/viewer.ts';
import { findLink, isOffered } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import type { Offered } from '../payments/begin-purchase.ts';
import type { CheckoutContext } from '../payments/context.ts';
import { findEndOfSale } from '../payments/copies-left.ts';
import { requireUseLeft } from '../payments/discount-uses.ts';
import { type Quote, quote, quoteCart } from '../payments/quote.ts';
import { requireOnSale } from './start-checkout.ts';
import type { CartItem } from './tables.ts';

/** Whose cart it is: that of the browser, whoever is signed in. */
export type CartOwner = Viewer & { claimHash: string };

/** A link in a cart as it stands now. */
interface CartLine {
  item: CartItem;
  /** Null where it is no longer offered. */
  link: Link | null;
  /** Alone; null where it cannot be paid for. */
  quote: Quote | null;
  /** Why it cannot be paid for, a sentence. */
  problem: string | null;
  /** Why its discount code is not taken off, a sentence. */
  refusal: string | null;
}

export interface Cart {
  lines: CartLine[];
  /** What is paid together; empty where nothing can be. */
  payable: Offered[];
  totalCents: number;
  /** Why it cannot be paid at once, a sentence. */
  problem: string | null;
}

interface Wish {
  linkId: string;
  /** A discount code, as it was typed. */
  code?: string;
  /** Cents that the buyer named, where the link lets them. */
  namedCents: number | undefined;
  source: string;
}

/** Puts a link into a browser's cart, as the buyer would buy it now; one that is there, anew. */
export async function addToCart(
  context: CheckoutContext,
  owner: CartOwner,
  { linkId, code, namedCents, source }: Wish,
): Promise<void> {
  const { db, now } = context;
  const link = await findLink(db, linkId);
  if (!link || !isOffered(link)) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
  const discount = code ? await findDiscount(context, link, code) : null;
  const { agreedCents } = quote(link, context, { discount, namedCents: namedCents ?? null });
  const items = await readItems(db, owner.claimHash);
  if (items.length >= MAX_CART_LINES && !items.some(({ link_id }) => link_id === linkId)) {
    throw new DomainError(
      'INVALID_INPUT',
      `A cart holds ${MAX_CART_LINES} links. Check out, or take something out of it first.`,
    );
  }
  const wish = {
    ...{ named_cents: namedCents ?? null, code: code ?? null },
    ...{ seen_cents: agreedCents, source, added_at: now() },
  };
  await db
    .insertInto('cart_item')
    .values({ claim_hash: owner.claimHash, link_id: linkId, ...wish })
    .onConflict((conflict) => conflict.columns(['claim_hash', 'link_id']).doUpdateSet(wish))
    .execute();
}

export async function removeFromCart(db: Database, claimHash: string, linkId: string) {
  await db
    .deleteFrom('cart_item')
    .where('claim_hash', '=', claimHash)
    .where('link_id', '=', linkId)
    .execute();
}

/** The first that were put in, should two requests at once have put in too many. */
function readItems(db: Database, claimHash: string): Promise<CartItem[]> {
  return db
    .selectFrom('cart_item')
    .where('claim_hash', '=', claimHash)
    .orderBy('added_at')
    .orderBy('link_id')
    .limit(MAX_CART_LINES)
    .selectAll()
    .execute();
}

/** A cart, and of each link in it what it costs now or why it cannot be bought. */
export async function readCart(context: CheckoutContext, owner: CartOwner): Promise<Cart> {
  const lines: CartLine[] = [];
  const items = await readItems(context.db, owner.claimHash);
  const uses: CodeUses = { linkIds: items.map(({ link_id }) => link_id), ofDiscounts: new Map() };
  for (const item of items) lines.push(await readLine(context, owner, item, uses));
  const offered = lines.flatMap(({ item: { source }, link, quote }) =>
    link && quote ? [{ link, quote, source }] : [],
  );
  const totalCents = offered.reduce((sum, line) => sum + line.quote.agreedCents, 0);
  try {
    const quotes = quoteCart(
      offered.map((line) => line.quote),
      context.fee,
    );
    const payable = offered.map((line, index) => ({ ...line, quote: quotes[index] ?? line.quote }));
    return { lines, payable, totalCents, problem: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { lines, payable: [], totalCents, problem: error.message };
  }
}

/** Of discounts by their ids, in the lines of a cart that were read so far. */
interface CodeUses {
  /** Of all lines. */
  linkIds: string[];
  ofDiscounts: Map<string, number>;
}

async function readLine(
  context: CheckoutContext,
  owner: CartOwner,
  item: CartItem,
  uses: CodeUses,
): Promise<CartLine> {
  const link = (await findLink(context.db, item.link_id)) ?? null;
  if (!link || !isOffered(link)) {
    const problem = 'This is no longer sold here.';
    return { item, link: null, quote: null, problem, refusal: null };
  }
  const problem = await findObstacle(context, owner, link);
  if (problem) return { item, link, quote: null, problem, refusal: null };
  return { item, link, problem: null, ...(await quoteItem(context, owner, link, item, uses)) };
}

/** Why a link cannot be bought by this viewer, a sentence; null where it can. */
async function findObstacle(
  context: CheckoutContext,
  viewer: CartOwner,
  link: Link,
): Promise<string | null> {
  const { db, now } = context;
  const access = await accessTo({ db, viewer }, link);
  if (access.kind === 'suspended') return SENTENCES.accessOnHold;
  if (access.kind === 'granted') {
    const kinds = access.rights.map(({ right }) => right.kind);
    if (kinds.includes('owner')) return 'This link is your own.';
    if (kinds.includes('grant')) return 'You have bought this already.';
    if (link.least_cents !== 0) return 'This is free now: nothing has to be paid for it.';
  }
  try {
    await requireOnSale(context, viewer, link);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
  return findEndOfSale(db, link, visitorOf(viewer, link.id), now());
}

async function quoteItem(
  context: CheckoutContext,
  viewer: CartOwner,
  link: Link,
  { code, named_cents: namedCents }: CartItem,
  { linkIds, ofDiscounts }: CodeUses,
): Promise<Pick<CartLine, 'quote' | 'refusal'>> {
  try {
    const discount = code ? await findDiscount(context, link, code) : null;
    const offered = quote(link, context, { discount, namedCents });
    if (discount) {
      const visitor = visitorOf(viewer, link.id);
      const uses = ofDiscounts.get(discount.id) ?? 0;
      await requireUseLeft(context.db, discount, visitor, context.now(), { linkIds, uses });
      ofDiscounts.set(discount.id, uses + 1);
    }
    return { quote: offered, refusal: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'DISCOUNT_REFUSED') {
      return { quote: quote(link, context, { namedCents: null }), refusal: error.message };
    }
    // They named less than its creator asks for now: the suggested price is what is said.
    return { quote: quote(link, context), refusal: error.message };
  }
}

export const visitorOf = ({ claimHash, user }: CartOwner, link_id: string) => ({
  ...{ link_id, claim_hash: claimHash, buyer_id: user?.id ?? null },
});

/** What is in a cart for so long is forgotten. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes from carts what was put in a month ago. */
export async function sweepCarts(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('cart_item')
    .where('added_at', '<', now - KEPT_FOR_MS)
    .execute();
}
