import { type ExpressionBuilder, sql } from 'kysely';
import { type Fact, fact } from '../../../contract/fact.ts';
import type { Link } from '../../catalog/links/tables.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { mayBePaid } from '../may-be-paid.ts';
import type { Visitor } from './queries.ts';

type Limited = Pick<Link, 'id' | 'type' | 'copies' | 'sold_until' | 'license_keys'>;

/** Whose open checkout takes nothing from themselves. */
type Self = Omit<Visitor, 'link_id'>;

/**
 * How many copies of each link are taken, by its id. All purchases count that are paid or may still
 * be, refunded ones too unless their buyers gave them back, but not the visitor's own open one.
 */
export async function countCopiesTaken(
  db: Database,
  linkIds: string[],
  visitor: Self,
  now: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('purchase')
    .where('link_id', 'in', linkIds)
    .where(mayBePaid(now))
    .where(isTakenFrom(visitor))
    .groupBy('link_id')
    .select(({ fn }) => ['link_id', fn.countAll<number | string>().as('count')])
    .execute();
  return new Map(rows.map(({ link_id, count }) => [link_id, Number(count)]));
}

/** All that takes something from a visitor: what is paid, under way, or open and not their own. */
const isTakenFrom =
  ({ claim_hash, buyer_id }: Self) =>
  ({ eb, and, or }: ExpressionBuilder<Tables, 'purchase'>) =>
    or([
      eb('purchase.state', '!=', 'open'),
      and([
        eb('purchase.claim_hash', '!=', claim_hash),
        // Of a guest there is none, with which nothing can be compared.
        or([eb('purchase.buyer_id', 'is', null), eb('purchase.buyer_id', '!=', buyer_id ?? '')]),
      ]),
    ]);

const LINK = sql.ref<string>('link.id');

/**
 * Which links are sold with license keys of their sellers' own and have none left for one more buyer,
 * besides those that others at the checkout may still need: each id with true.
 * @param needed how many of each the buyer gets at once
 */
export async function findOutOfKeys(
  db: Database,
  linkIds: string[],
  visitor: Self,
  now: number,
  needed = 1,
): Promise<Map<string, true>> {
  const free = db
    .selectFrom('license_key')
    .where('license_key.link_id', '=', LINK)
    .where('license_key.purchase_id', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('free'));
  const awaited = db
    .selectFrom('purchase')
    .where('purchase.settled_at', 'is', null)
    .where(mayBePaid(now))
    .where(isTakenFrom(visitor))
    .select(({ fn }) => fn.countAll<number>().as('awaited'));
  const alone = awaited.where('purchase.link_id', '=', LINK);
  // Each is found by an index of its own. A bundle is among its parts.
  const inBundles = awaited
    .innerJoin('purchase_part', 'purchase_part.purchase_id', 'purchase.id')
    .where('purchase_part.link_id', '=', LINK)
    .where('purchase.link_id', '!=', LINK);
  const out = await db
    .selectFrom('link')
    .where('license_keys', '=', 'list')
    .where('id', 'in', linkIds)
    .where(({ eb }) => eb(free, '<', eb(eb(alone, '+', inBundles), '+', needed)))
    .select('id')
    .execute();
  return new Map(out.map(({ id }) => [id, true]));
}

/** The same of what is bought with one link: of a bundle, each part. */
async function isOutOfKeys(
  db: Database,
  link: Limited,
  visitor: Self,
  now: number,
): Promise<boolean> {
  if (link.type !== 'bundle' && link.license_keys !== 'list') return false;
  return (await findOutOfKeys(db, await findBrought(db, link), visitor, now)).size > 0;
}

/** A link and, of a bundle, its parts. */
async function findBrought(db: Database, { id, type }: Limited): Promise<string[]> {
  if (type !== 'bundle') return [id];
  const parts = await db
    .selectFrom('link_part')
    .innerJoin('link as bundle', (join) =>
      join
        .onRef('bundle.id', '=', 'link_part.link_id')
        .onRef('bundle.content_version', '=', 'link_part.version'),
    )
    .where('bundle.id', '=', id)
    .select('link_part.part_id')
    .execute();
  return [id, ...parts.map(({ part_id }) => part_id)];
}

/** How many can still be sold. */
export const leftOf = (copies: number, taken = 0) => Math.max(0, copies - taken);

/** Why nothing of a link is sold any more; null while something is. */
export async function findEndOfSale(
  db: Database,
  link: Limited,
  visitor: Visitor,
  now: number,
): Promise<Fact | null> {
  if (link.sold_until !== null && now >= link.sold_until) {
    return fact('This was on sale until {time}.', { time: { moment: link.sold_until } });
  }
  if (await isOutOfKeys(db, link, visitor, now)) return SOLD_OUT;
  if (link.copies === null) return null;
  const taken = await countCopiesTaken(db, [link.id], visitor, now);
  const left = leftOf(link.copies, taken.get(link.id));
  return left === 0 ? SOLD_OUT : null;
}

const SOLD_OUT = fact('All copies are sold, or are being paid for.');

export const notOnSale = (why: Fact) =>
  new DomainError('NOT_ON_SALE', fact('{why} Nothing was charged.', { why }));

/** @throws DomainError NOT_ON_SALE */
export async function requireCopyLeft(
  db: Database,
  link: Limited,
  visitor: Visitor,
  now: number,
): Promise<void> {
  const end = await findEndOfSale(db, link, visitor, now);
  if (end) throw notOnSale(end);
}

/**
 * Refuses a cart of which two lines bring the same link, such as a part of two bundles, where too few
 * license keys are left for both.
 * @throws DomainError NOT_ON_SALE
 */
export async function requireKeysForAll(
  db: Database,
  links: Limited[],
  visitor: Self,
  now: number,
): Promise<void> {
  const brought: string[] = [];
  for (const link of links) brought.push(...(await findBrought(db, link)));
  const lines = Map.groupBy(brought, (id) => id);
  for (const [id, { length: needed }] of lines) {
    if (needed < 2) continue;
    const out = await findOutOfKeys(db, [id], visitor, now, needed);
    if (out.size > 0) throw notOnSale(SOLD_OUT);
  }
}
