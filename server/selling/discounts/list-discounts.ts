import type { Database } from '../../ground/database/tables.ts';
import { ROWS_OF_PAGE, readToken, toPage } from '../../ground/lib/newest-first.ts';
import type { Discount } from './tables.ts';

export interface ListedDiscount extends Discount {
  /** Those it is for; null for all of its owner. */
  links: string[] | null;
}

/**
 * The codes of an account, ended ones included, the newest first, by keyset.
 * @param token where the last page ended; null for the first one
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listDiscounts(
  db: Database,
  ownerId: string,
  token: string | null,
): Promise<{ discounts: ListedDiscount[]; nextToken: string | null }> {
  let asked = db
    .selectFrom('discount')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_OF_PAGE);
  if (token !== null) {
    const { time, id } = readToken('discounts', token);
    asked = asked.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(time, id)),
    );
  }
  const rows = await asked.execute();
  const { page, nextToken } = toPage('discounts', rows, ({ created_at: time, id }) => ({
    time,
    id,
  }));
  return { discounts: await withLinks(db, page), nextToken };
}

async function withLinks(db: Database, discounts: Discount[]): Promise<ListedDiscount[]> {
  if (discounts.length === 0) return [];
  const ids = discounts.map(({ id }) => id);
  const chosen = await db
    .selectFrom('discount_link')
    .where('discount_id', 'in', ids)
    .orderBy('link_id')
    .selectAll()
    .execute();
  const linksOf = Map.groupBy(chosen, ({ discount_id }) => discount_id);
  return discounts.map((discount) => ({
    ...discount,
    links: discount.chosen_links
      ? (linksOf.get(discount.id) ?? []).map(({ link_id }) => link_id)
      : null,
  }));
}
