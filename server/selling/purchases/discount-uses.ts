import type { Database } from '../../ground/database/tables.ts';
import type { Discount } from '../discounts/tables.ts';
import { refused } from '../discounts/use-discount.ts';
import { mayBePaid } from '../may-be-paid.ts';
import { byBuyer, ofVisitor, type Visitor } from './queries.ts';

/** A cart that is not checked out, for one of its lines. */
interface InCart {
  /** Of all lines. */
  linkIds: string[];
  /** Lines before it that use the discount. */
  uses: number;
}

/**
 * Refuses a use too many of a discount. The visitor's own open checkouts of the link, and of what is
 * in a cart with it, do not count: they are offered again, or ended before others begin.
 * @throws DomainError DISCOUNT_REFUSED
 */
export async function requireUseLeft(
  db: Database,
  { id, max_uses, max_uses_of_buyer }: Discount,
  visitor: Visitor,
  now: number,
  { linkIds, uses: usesBefore }: InCart = { linkIds: [visitor.link_id], uses: 0 },
): Promise<void> {
  const ofOwn = linkIds.map((link_id) => ofVisitor({ ...visitor, link_id }));
  const uses = db
    .selectFrom('purchase_discount')
    .innerJoin('purchase', 'purchase.id', 'purchase_discount.purchase_id')
    .where('purchase_discount.discount_id', '=', id)
    .where(mayBePaid(now))
    .where(({ eb, and, not, or }) =>
      not(and([eb('purchase.state', '=', 'open'), or(ofOwn.map((isOwn) => isOwn(eb)))])),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('count'));
  if (max_uses !== null) {
    const { count } = await uses.executeTakeFirstOrThrow();
    if (Number(count) + usesBefore >= max_uses)
      throw refused('This discount code has been used up.');
  }
  if (max_uses_of_buyer !== null) {
    const { count } = await uses.where(byBuyer(visitor)).executeTakeFirstOrThrow();
    if (Number(count) + usesBefore >= max_uses_of_buyer) {
      throw refused('You cannot use this discount code again.');
    }
  }
}
