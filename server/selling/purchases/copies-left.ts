import { type Fact, fact } from '../../../contract/fact.ts';
import type { Link } from '../../catalog/links/tables.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { mayBePaid } from '../may-be-paid.ts';
import type { Visitor } from './queries.ts';

type Limited = Pick<Link, 'id' | 'copies' | 'sold_until'>;

/**
 * How many copies of each link are taken, by its id. All purchases count that are paid or may still
 * be, refunded ones too unless their buyers gave them back, but not the visitor's own open one.
 */
export async function countCopiesTaken(
  db: Database,
  linkIds: string[],
  { claim_hash, buyer_id }: Omit<Visitor, 'link_id'>,
  now: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('purchase')
    .where('link_id', 'in', linkIds)
    .where(mayBePaid(now))
    .where(({ eb, and, or }) =>
      or([
        eb('purchase.state', '!=', 'open'),
        and([
          eb('purchase.claim_hash', '!=', claim_hash),
          // Of a guest there is none, with which nothing can be compared.
          or([eb('purchase.buyer_id', 'is', null), eb('purchase.buyer_id', '!=', buyer_id ?? '')]),
        ]),
      ]),
    )
    .groupBy('link_id')
    .select(({ fn }) => ['link_id', fn.countAll<number | string>().as('count')])
    .execute();
  return new Map(rows.map(({ link_id, count }) => [link_id, Number(count)]));
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
  if (link.copies === null) return null;
  const taken = await countCopiesTaken(db, [link.id], visitor, now);
  const left = leftOf(link.copies, taken.get(link.id));
  return left === 0 ? fact('All copies are sold, or are being paid for.') : null;
}

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
