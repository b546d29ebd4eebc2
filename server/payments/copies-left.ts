import { formatMoment } from '../../contract/format.ts';
import type { Database } from '../database/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Link } from '../links/tables.ts';
import { mayBePaid } from './may-be-paid.ts';
import { ofVisitor, type Visitor } from './queries.ts';

type Limited = Pick<Link, 'id' | 'copies' | 'sold_until'>;

/**
 * How many copies of a link can still be sold; null for any number. All purchases of it count that
 * are paid or may still be, refunded ones too, but not the visitor's own open one.
 */
export async function countCopiesLeft(
  db: Database,
  { id, copies }: Limited,
  visitor: Visitor,
  now: number,
): Promise<number | null> {
  if (copies === null) return null;
  const { count } = await db
    .selectFrom('purchase')
    .where('link_id', '=', id)
    .where(mayBePaid(now))
    .where(({ eb, and, not }) =>
      not(and([eb('purchase.state', '=', 'open'), ofVisitor(visitor)(eb)])),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Math.max(0, copies - Number(count));
}

/** Why nothing of a link is sold any more, a sentence; null while something is. */
export async function findEndOfSale(
  db: Database,
  link: Limited,
  visitor: Visitor,
  now: number,
): Promise<string | null> {
  if (link.sold_until !== null && now >= link.sold_until) {
    return `This was sold until ${formatMoment(link.sold_until)}.`;
  }
  const left = await countCopiesLeft(db, link, visitor, now);
  return left === 0 ? 'All copies are sold, or are being paid for.' : null;
}

/** @throws DomainError NOT_ON_SALE */
export async function requireCopyLeft(
  db: Database,
  link: Limited,
  visitor: Visitor,
  now: number,
): Promise<void> {
  const end = await findEndOfSale(db, link, visitor, now);
  if (end) throw new DomainError('NOT_ON_SALE', `${end} Nothing was charged.`);
}
