import type { LinkSort } from '../../../contract/links.ts';
import { type Place, readPageToken, writePageToken } from '../../ground/lib/page-token.ts';
import type { LinkCondition } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';

/** A column that a list is sorted by. */
type SortColumn = 'created_at' | 'price_cents';

/** The columns that a list is ordered by; the id comes last, so that no two links are equal. */
export interface ListOrder {
  sort: LinkSort;
  columns: readonly [SortColumn, ...SortColumn[]];
  descending: boolean;
}

const BY_TIME = ['created_at'] as const;
const BY_PRICE = ['price_cents', 'created_at'] as const;

export const LIST_ORDERS: Record<LinkSort, ListOrder> = {
  newest: { sort: 'newest', columns: BY_TIME, descending: true },
  oldest: { sort: 'oldest', columns: BY_TIME, descending: false },
  cheapest: { sort: 'cheapest', columns: BY_PRICE, descending: false },
  dearest: { sort: 'dearest', columns: BY_PRICE, descending: true },
};

/** What determines a link's place in any order. */
export type PlacedLink = Pick<Link, 'id' | SortColumn>;

/** One end of the range of a list. */
export interface Bound {
  operator: '<' | '>' | '>=';
  position: Place;
}

/**
 * Conditions on the column that leads the order, and where the page before ended, as the two ends
 * of one range: given both, a database begins to read at either.
 */
export function takeBounds(
  conditions: LinkCondition[],
  order: ListOrder,
  token: Place | null,
): { low: Bound | null; high: Bound | null; rest: LinkCondition[] } {
  let low: Bound | null = null;
  let high: Bound | null = null;
  if (token && order.descending) high = { operator: '<', position: token };
  if (token && !order.descending) low = { operator: '>', position: token };
  const rest: LinkCondition[] = [];
  for (const condition of conditions) {
    const { column, operator } = condition;
    if (column !== order.columns[0] || operator === '!=' || operator === 'begins-with') {
      rest.push(condition);
      continue;
    }
    const value = Number(condition.value);
    if (operator !== '<' && operator !== '<=') {
      const position = startOf(order, operator === '>' ? value + 1 : value);
      if (!low || compare(low.position, position) < 0) low = { operator: '>=', position };
    }
    if (operator !== '>' && operator !== '>=') {
      const position = startOf(order, operator === '<' ? value : value + 1);
      if (!high || compare(position, high.position) < 0) high = { operator: '<', position };
    }
  }
  return { low, high, rest };
}

/** The ends of the range that follows a link. */
export function boundsAfter(
  order: ListOrder,
  link: PlacedLink,
  { low, high }: { low: Bound | null; high: Bound | null },
): { low: Bound | null; high: Bound | null } {
  const position = placeOf(order, link);
  return order.descending
    ? { low, high: { operator: '<', position } }
    : { low: { operator: '>', position }, high };
}

/** Times are not negative, and no id comes before the empty one. */
const startOf = ({ columns }: ListOrder, value: number): Place => ({
  values: columns.map((_, place) => (place === 0 ? value : 0)),
  id: '',
});

/** Below zero when the first link comes first in this order. */
export function compareLinks(order: ListOrder, one: PlacedLink, other: PlacedLink): number {
  return compare(placeOf(order, one), placeOf(order, other)) * (order.descending ? -1 : 1);
}

const placeOf = ({ columns }: ListOrder, link: PlacedLink): Place => ({
  values: columns.map((column) => link[column]),
  id: link.id,
});

function compare(one: Place, other: Place): number {
  for (const [place, value] of one.values.entries()) {
    const difference = value - (other.values[place] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

/** The usual order of links has no name in its tokens. */
const nameOf = ({ sort }: ListOrder) => (sort === 'newest' ? '' : sort);

export const writeToken = (order: ListOrder, link: PlacedLink) =>
  writePageToken(nameOf(order), placeOf(order, link));

/** @throws DomainError INVALID_INPUT for a text that is not a token of a list in this order */
export const readToken = (order: ListOrder, token: string) =>
  readPageToken(nameOf(order), token, order.columns.length);
