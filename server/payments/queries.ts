import type { Compilable, ExpressionBuilder } from 'kysely';
import { prepare } from '../database/prepare.ts';
import type { Database, Tables } from '../database/tables.ts';
import { partOf } from '../lib/cart-parts.ts';
import type { Viewer } from '../lib/viewer.ts';
import type { AccessGrant, Purchase } from './tables.ts';

/** Of a cart's session, its first line. */
export async function findPurchaseBySession(
  db: Database,
  sessionId: string,
): Promise<Purchase | undefined> {
  const [purchase] = await readPurchase(db, sessionId, partOf(sessionId, 1));
  return purchase;
}

const readPurchase = prepare((db, sessionId: string, firstLine: string) =>
  db.selectFrom('purchase').selectAll().where('session_id', 'in', [sessionId, firstLine]),
);

/** All lines of a cart that was checked out, in their order. */
export function findCart(db: Database, cartId: string): Promise<Purchase[]> {
  return db
    .selectFrom('purchase')
    .selectAll()
    .where('cart_id', '=', cartId)
    .orderBy('cart_line')
    .execute();
}

/** The right that a purchase gave once it was settled, whatever its state now. */
export async function findGrantOfPurchase(
  db: Database,
  purchaseId: string,
): Promise<AccessGrant | undefined> {
  const [grant] = await readGrant(db, purchaseId);
  return grant;
}

const readGrant = prepare((db, purchaseId: string) =>
  db.selectFrom('access_grant').selectAll().where('purchase_id', '=', purchaseId),
);

/**
 * What a viewer last tried to buy a link by; a payment under way comes before all others, but for one
 * of a gift, which is no obstacle to buying it.
 */
export async function findLastCheckout(
  db: Database,
  { claimHash, user }: Viewer,
  linkId: string,
): Promise<Purchase | undefined> {
  if (!claimHash && !user) return undefined;
  return db
    .selectFrom('purchase')
    .selectAll()
    .where(ofVisitor({ link_id: linkId, claim_hash: claimHash ?? '', buyer_id: user?.id ?? null }))
    .where('session_id', 'is not', null)
    .where(({ eb, or }) => or([eb('gift_email', 'is', null), eb('state', '!=', 'processing')]))
    .orderBy(({ eb }) => eb.case().when('state', '=', 'processing').then(0).else(1).end())
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** The settled purchases that a payment was made for: several where they are the lines of a cart. */
export async function findPurchasesByPayment(
  db: Database,
  paymentIntentId: string,
): Promise<Purchase[]> {
  const [first] = await readPaid(db, paymentIntentId, partOf(paymentIntentId, 1));
  if (!first) return [];
  return first.cart_id === null ? [first] : findCart(db, first.cart_id);
}

const readPaid = prepare((db, payment: string, firstLine: string) =>
  db.selectFrom('purchase').selectAll().where('payment_intent_id', 'in', [payment, firstLine]),
);

/** Whether this browser or account made the purchase: a session id in a URL alone proves nothing. */
export function holdsPurchase(viewer: Viewer, purchase: Purchase): boolean {
  return (
    purchase.claim_hash === viewer.claimHash ||
    (purchase.buyer_id !== null && purchase.buyer_id === viewer.user?.id)
  );
}

/** Whether this browser or account got the grant, whatever its state now. */
export async function holdsGrant(db: Database, viewer: Viewer, grantId: string): Promise<boolean> {
  const grant = await db
    .selectFrom('access_grant')
    .where('id', '=', grantId)
    .select('buyer_id')
    .executeTakeFirst();
  if (!grant) return false;
  if (grant.buyer_id !== null && grant.buyer_id === viewer.user?.id) return true;
  if (!viewer.claimHash) return false;
  const held = await db
    .selectFrom('grant_claim')
    .where('grant_id', '=', grantId)
    .where('claim_hash', '=', viewer.claimHash)
    .select('grant_id')
    .executeTakeFirst();
  return held !== undefined;
}

/** Whether a browser's claim is one that a checkout, cart or personal link of ours gave out. */
export async function isKnownClaim(db: Database, claimHash: string): Promise<boolean> {
  const purchase = await db
    .selectFrom('purchase')
    .where('claim_hash', '=', claimHash)
    .select('id')
    .executeTakeFirst();
  if (purchase) return true;
  const grant = await db
    .selectFrom('grant_claim')
    .where('claim_hash', '=', claimHash)
    .select('grant_id')
    .executeTakeFirst();
  if (grant) return true;
  const item = await db
    .selectFrom('cart_item')
    .where('claim_hash', '=', claimHash)
    .select('link_id')
    .executeTakeFirst();
  return item !== undefined;
}

/** When a browser's claim began its first checkout, UTC milliseconds; null where there is none. */
export async function firstCheckoutOf(db: Database, claimHash: string): Promise<number | null> {
  const { begun_at: begunAt } = await db
    .selectFrom('purchase')
    .where('claim_hash', '=', claimHash)
    .select(({ fn }) => fn.min<number | null>('created_at').as('begun_at'))
    .executeTakeFirstOrThrow();
  return begunAt;
}

export type Visitor = Pick<Purchase, 'link_id' | 'claim_hash' | 'buyer_id'>;

/**
 * Purchases of the same link by the same browser or the same account. Each side of the "or" names
 * the link, so that each is one range of an index: a link may have been sold to very many.
 */
export function ofVisitor({ link_id, claim_hash, buyer_id }: Visitor) {
  return ({ eb, and, or }: ExpressionBuilder<Tables, 'purchase'>) => {
    const ofLink = eb('purchase.link_id', '=', link_id);
    const byBrowser = and([eb('purchase.claim_hash', '=', claim_hash), ofLink]);
    if (buyer_id === null) return byBrowser;
    return or([byBrowser, and([eb('purchase.buyer_id', '=', buyer_id), ofLink])]);
  };
}

/** Of purchases of one visitor's: a query for those with an account, and one for those without. */
export function prepareOfVisitor<Row>(
  build: (db: Database, visitor: Visitor) => Compilable<Row>,
): (db: Database, visitor: Visitor) => Promise<Row[]> {
  const ofAccount = prepare(build);
  const ofBrowser = prepare((db, { link_id, claim_hash }: Visitor) =>
    build(db, { link_id, claim_hash, buyer_id: null }),
  );
  return (db, visitor) => (visitor.buyer_id === null ? ofBrowser : ofAccount)(db, visitor);
}

/** How many have each version of a link that was bought, by its number. */
export async function countBuyers(db: Database, linkId: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('purchase.link_id', '=', linkId)
    .where('access_grant.state', '!=', 'ended')
    .groupBy('purchase.content_version')
    .select(({ fn }) => ['purchase.content_version', fn.countAll<number>().as('buyers')])
    .execute();
  return new Map(rows.map(({ content_version, buyers }) => [content_version, Number(buyers)]));
}
