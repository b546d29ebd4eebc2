import { MAX_SEARCH_LENGTH } from '../../contract/limits.ts';
import { LINK_SORTS, type LinkSort } from '../../contract/link-sorts.ts';

/** Prices in cents that a visitor chooses among. */
const PRICES = {
  'under-2': { lt: 200 },
  '2-to-5': { between: [200, 500] },
  'over-5': { gt: 500 },
};
const TYPES = ['file', 'link'];

/** What is looked for on the explore page, as in its address; '' is any. */
export interface ExploreQuery {
  q: string;
  sort: LinkSort;
  price: keyof typeof PRICES | '';
  type: string;
}

const ANYTHING: ExploreQuery = { q: '', sort: 'newest', price: '', type: '' };

/** From an address or a form; what it does not know is any. */
export function readExploreQuery(given: Record<string, unknown>): ExploreQuery {
  const price = String(given.price) as keyof typeof PRICES;
  const type = String(given.type);
  return {
    q: String(given.q ?? '').slice(0, MAX_SEARCH_LENGTH),
    sort: LINK_SORTS.find((sort) => sort === given.sort) ?? 'newest',
    price: Object.hasOwn(PRICES, price) ? price : '',
    type: TYPES.includes(type) ? type : '',
  };
}

/** The page's address, of the links that follow `after`. */
export function toExploreAddress(query: ExploreQuery, after: string | null = null): string {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== ANYTHING[name as keyof ExploreQuery],
  );
  if (after) given.push(['after', after]);
  return given.length > 0 ? `/explore?${new URLSearchParams(given)}` : '/explore';
}

/** The variables of the list; without a choice there is no filter. */
export function toExploreVariables({ q, sort, price, type }: ExploreQuery, after: string | null) {
  const filter = {
    ...(price && { price: PRICES[price] }),
    ...(type && { type: { eq: type } }),
  };
  return {
    after,
    sort,
    ...(q && { search: q }),
    ...(Object.keys(filter).length > 0 && { filter }),
  };
}
