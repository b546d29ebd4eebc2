import type { LinkSort } from '../../../contract/link-sorts.ts';

/** A column that a list is sorted by. */
export type SortColumn = 'created_at' | 'price_cents';

/** What a list is read in the order of; the id comes last, so that no two links are level. */
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
