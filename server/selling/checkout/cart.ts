import { fact, type Said } from '../../../contract/fact.ts';
import { MAX_CART_LINES } from '../../../contract/limits.ts';
import { SENTENCES, TEXTS } from '../../../contract/texts.ts';
import { partsOfVersion } from '../../catalog/links/bundles.ts';
import { findLink, isOffered, sellsOthers } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { accessTo } from '../access/access.ts';
import type { TypedCode } from '../discounts/typed-code.ts';
import { findDiscount } from '../discounts/use-discount.ts';
import type { Offered } from '../purchases/begin-purchase.ts';
import type { CheckoutContext } from '../purchases/context.ts';
import { findEndOfSale } from '../purchases/copies-left.ts';
import { requireUseLeft } from '../purchases/discount-uses.ts';
import { visitorOf } from '../purchases/queries.ts';
import { type Quote, quote, quoteCart } from '../purchases/quote.ts';
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
  problem: Said | null;
  /** Why its discount code is not taken off, a sentence. */
  refusal: Said | null;
}

export interface Cart {
  lines: CartLine[];
  /** What is paid together; empty where nothing can be. */
  payable: Offered[];
  totalCents: number;
  /** Why it cannot be paid at once, a sentence. */
  problem: Said | null;
}

interface Wish {
  linkId: string;
  code?: TypedCode | undefined;
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
  const discount = code ? await findDiscount(context, link, code.code, code.countGuess) : null;
  const { agreedCents } = quote(link, context, { discount, namedCents: namedCents ?? null });
  const items = await readItems(db, owner.claimHash);
  if (items.length >= MAX_CART_LINES && !items.some(({ link_id }) => link_id === linkId)) {
    throw new DomainError(
      'INVALID_INPUT',
      fact('A cart can hold {limit} links. Check out, or remove something first.', {
        limit: MAX_CART_LINES,
      }),
    );
  }
  const wish = {
    named_cents: namedCents ?? null,
    code: code?.code ?? null,
    seen_cents: agreedCents,
    source,
    added_at: now(),
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

/** How many links are in a browser's cart, those among them that cannot be bought any more. */
export async function countCart(db: Database, claimHash: string): Promise<number> {
  const [counted] = await readCount(db, claimHash);
  return Number(counted?.lines);
}

const readCount = prepare((db, claimHash: string) =>
  db
    .selectFrom('cart_item')
    .where('claim_hash', '=', claimHash)
    .select(({ fn }) => fn.countAll<number | string>().as('lines')),
);

/** A cart, and of each link in it what it costs now or why it cannot be bought. */
export async function readCart(context: CheckoutContext, owner: CartOwner): Promise<Cart> {
  const items = await readItems(context.db, owner.claimHash);
  const found: FoundItem[] = [];
  for (const item of items) found.push(await findItem(context, owner, item));
  const inBundles = await findParts(context.db, found);
  const uses: CodeUses = { linkIds: items.map(({ link_id }) => link_id), ofDiscounts: new Map() };
  const lines: CartLine[] = [];
  for (const one of found) {
    const problem = one.problem ?? (inBundles.has(one.item.link_id) ? IN_BUNDLE : null);
    const asked = { quote: null, problem, refusal: null };
    lines.push({ ...one, ...(problem ? asked : await quoteItem(context, owner, one, uses)) });
  }
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
    return { lines, payable: [], totalCents, problem: saidOf(error) };
  }
}

/** Why something is refused. @throws any other error */
function saidOf(error: unknown): Said {
  if (error instanceof DomainError) return error.said;
  throw error;
}

/** Of discounts by their ids, in the lines of a cart that were read so far. */
interface CodeUses {
  /** Of all lines. */
  linkIds: string[];
  ofDiscounts: Map<string, number>;
}

type FoundItem = Pick<CartLine, 'item' | 'link' | 'problem'>;

async function findItem(
  context: CheckoutContext,
  owner: CartOwner,
  item: CartItem,
): Promise<FoundItem> {
  const link = (await findLink(context.db, item.link_id)) ?? null;
  if (!link || !isOffered(link)) {
    return { item, link: null, problem: fact('This is no longer sold here.') };
  }
  return { item, link, problem: await findObstacle(context, owner, link) };
}

const IN_BUNDLE = fact('A bundle in your cart contains this already.');

/** The parts of all bundles that can be bought: nobody is to pay for one twice. */
async function findParts(db: Database, found: FoundItem[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { link, problem } of found) {
    if (link?.type !== 'bundle' || problem) continue;
    for (const { id } of await partsOfVersion(db, link.id, link.content_version)) ids.add(id);
  }
  return ids;
}

/** Why a link cannot be bought by this viewer, a sentence; null where it can. */
async function findObstacle(
  context: CheckoutContext,
  viewer: CartOwner,
  link: Link,
): Promise<Said | null> {
  const { db, now } = context;
  const access = await accessTo({ db, viewer }, link);
  if (access.kind === 'suspended') return SENTENCES.accessOnHold;
  if (access.kind === 'granted') {
    const kinds = access.rights.map(({ right }) => right.kind);
    if (kinds.includes('owner')) return fact('This link is your own.');
    if (kinds.includes('grant')) return fact('You have already bought this.');
    if (link.least_cents !== 0) return fact('This is free now: you do not have to pay for it.');
  }
  try {
    await requireOnSale(context, viewer, link);
  } catch (error) {
    return saidOf(error);
  }
  return findEndOfSale(db, link, visitorOf(viewer, link.id), now());
}

async function quoteItem(
  context: CheckoutContext,
  viewer: CartOwner,
  { link, item: { code, named_cents: namedCents } }: FoundItem,
  { linkIds, ofDiscounts }: CodeUses,
): Promise<Pick<CartLine, 'quote' | 'problem' | 'refusal'>> {
  if (!link) throw new Error('Only what is sold can be quoted');
  try {
    const discount = code ? await findDiscount(context, link, code, null) : null;
    const offered = quote(link, context, { discount, namedCents });
    if (discount) {
      const visitor = visitorOf(viewer, link.id);
      const uses = ofDiscounts.get(discount.id) ?? 0;
      await requireUseLeft(context.db, discount, visitor, context.now(), { linkIds, uses });
      ofDiscounts.set(discount.id, uses + 1);
    }
    return { quote: offered, problem: null, refusal: null };
  } catch (error) {
    const refusal = saidOf(error);
    // Without the code, and where they named less than its creator asks for now, as suggested.
    try {
      return { quote: quote(link, context), problem: null, refusal };
    } catch (error) {
      return { quote: null, problem: saidOf(error), refusal: null };
    }
  }
}

const readOccasion = prepare((db, linkId: string, claimHash: string) =>
  db
    .selectFrom('link')
    .where('link.id', '=', linkId)
    .select(sellsOthers)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('cart_item').where('claim_hash', '=', claimHash).select('cart_item.link_id'),
      ).as('holds_some'),
    ),
);

/** Whether a visitor of a link has a use for a cart: for more of its seller's, or for what is in it. */
export async function hasUseForCart(
  db: Database,
  { claimHash }: Viewer,
  linkId: string,
): Promise<boolean> {
  const [found] = await readOccasion(db, linkId, claimHash ?? '');
  return Boolean(found?.sells_others || found?.holds_some);
}

/** What is in a cart for so long is forgotten. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes from carts what was put in a month ago. */
export async function sweepCarts(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('cart_item')
    .where('added_at', '<', now - KEPT_FOR_MS)
    .execute();
}
