import { type Compilable, type ExpressionBuilder, sql } from 'kysely';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import type { AccessGrant, PaymentLine, Purchase } from './tables.ts';

/** Purchases, each with what is known of its payment. */
export const selectPurchases = (db: Database) =>
  db
    .selectFrom('purchase')
    .leftJoin('payment', 'payment.id', 'purchase.payment_id')
    .selectAll('purchase')
    .select(['payment.session_id', 'payment.checkout_url', 'payment.payment_intent_id']);

export async function findPurchase(db: Database, id: string): Promise<PaymentLine | null> {
  const [purchase] = await readPurchase(db, id);
  return purchase ?? null;
}

const readPurchase = prepare((db, id: string) => selectPurchases(db).where('purchase.id', '=', id));

/** All purchases of a payment, in their order. */
const findLinesBy = (
  column: 'purchase.payment_id' | 'payment.session_id' | 'payment.payment_intent_id',
) => prepare((db, id: string) => selectPurchases(db).where(column, '=', id).orderBy('line'));

export const findLines = findLinesBy('purchase.payment_id');
export const findPurchasesBySession = findLinesBy('payment.session_id');
/** Only what is paid has such an id. */
export const findPaid = findLinesBy('payment.payment_intent_id');

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

/** A license key as its buyer sees it. */
export interface BoughtKey {
  /** Null while the seller owes it. */
  key: string | null;
  /** On how many devices it is active. */
  activations: number;
}

/** The license keys of a link that came with purchases, the newest first, by the grants of these. */
export async function findBoughtKeys(
  db: Database,
  linkId: string,
  grantIds: string[],
): Promise<BoughtKey[]> {
  if (grantIds.length === 0) return [];
  const keys = await readBoughtKeys(db, linkId, grantIds);
  return keys.map(({ key, activations }) => ({ key, activations: Number(activations) }));
}

const readBoughtKeys = prepare((db, linkId: string, grantIds: string[]) =>
  db
    .selectFrom('license_key')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'license_key.purchase_id')
    .where('license_key.link_id', '=', linkId)
    .where('access_grant.id', 'in', grantIds)
    .orderBy('given_at', 'desc')
    .orderBy('license_key.id')
    .select(({ fn, selectFrom }) => [
      'license_key.key',
      selectFrom('license_activation')
        .whereRef('license_activation.key_id', '=', 'license_key.id')
        .select(fn.countAll<number | string>().as('count'))
        .as('activations'),
    ]),
);

/**
 * What a viewer last tried to buy a link by; a payment under way comes before all others, but for one
 * of a gift, which is no obstacle to buying it.
 */
export async function findLastCheckout(
  db: Database,
  viewer: Viewer,
  linkId: string,
): Promise<PaymentLine | undefined> {
  if (!viewer.claimHash && !viewer.user) return undefined;
  return selectPurchases(db)
    .where(ofVisitor(visitorOf(viewer, linkId)))
    .where('payment.id', 'is not', null)
    .where(({ eb, or }) => or([eb('gift_email', 'is', null), eb('state', '!=', 'processing')]))
    .orderBy(({ eb }) => eb.case().when('state', '=', 'processing').then(0).else(1).end())
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

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
    .leftJoin('grant_claim', (join) =>
      join
        .onRef('grant_claim.grant_id', '=', 'access_grant.id')
        .on('grant_claim.claim_hash', '=', viewer.claimHash ?? ''),
    )
    .where('access_grant.id', '=', grantId)
    .select(['buyer_id', 'claim_hash'])
    .executeTakeFirst();
  if (!grant) return false;
  const isOfAccount = grant.buyer_id !== null && grant.buyer_id === viewer.user?.id;
  return isOfAccount || grant.claim_hash !== null;
}

/** Whether a browser's claim is one that a checkout, cart or personal link of ours gave out. */
export async function isKnownClaim(db: Database, claimHash: string): Promise<boolean> {
  for (const table of ['purchase', 'grant_claim', 'cart_item'] as const) {
    const given = db.selectFrom(table).where('claim_hash', '=', claimHash).select('claim_hash');
    if (await given.executeTakeFirst()) return true;
  }
  return false;
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

export const visitorOf = (viewer: Viewer, link_id: string): Visitor => ({
  link_id,
  ...buyerOf(viewer),
});

export const buyerOf = ({ claimHash, user }: Viewer): Omit<Visitor, 'link_id'> => ({
  claim_hash: claimHash ?? '',
  buyer_id: user?.id ?? null,
});

/**
 * Purchases of the same link by the same browser or the same account. Each side of the "or" is one range of
 * an index, and never that of the link: it may have been sold to very many. For a browser, which has few, a
 * new database that knows no figures yet would take it.
 */
export function ofVisitor({ link_id, claim_hash, buyer_id }: Visitor) {
  return ({ eb, and, or }: ExpressionBuilder<Tables, 'purchase'>) => {
    const ofLink = eb('purchase.link_id', '=', link_id);
    const byBrowser = and([
      eb('purchase.claim_hash', '=', claim_hash),
      sql<boolean>`coalesce(purchase.link_id, '') = ${link_id}`,
    ]);
    if (buyer_id === null) return byBrowser;
    return or([byBrowser, and([eb('purchase.buyer_id', '=', buyer_id), ofLink])]);
  };
}

/** Purchases by the same browser or the same account, of any link. */
export function byBuyer({ claim_hash, buyer_id }: Omit<Visitor, 'link_id'>) {
  return ({ eb, or }: ExpressionBuilder<Tables, 'purchase'>) => {
    const byBrowser = eb('purchase.claim_hash', '=', claim_hash);
    return buyer_id === null ? byBrowser : or([byBrowser, eb('purchase.buyer_id', '=', buyer_id)]);
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

/** What a visitor has bought of a link and was not given back, gifts for others aside; the first one first. */
export const findStanding = prepareOfVisitor((db, visitor) =>
  selectPurchases(db)
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where(ofVisitor(visitor))
    .where('purchase.gift_email', 'is', null)
    .where('purchase.state', '=', 'settled')
    .where('purchase.refunded_because', 'is', null)
    .where('access_grant.state', '!=', 'ended')
    .orderBy('access_grant.position')
    .orderBy('purchase.id'),
);

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
