import { isLongerThan } from '../../../contract/characters.ts';
import { fact } from '../../../contract/fact.ts';
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  MAX_SEARCH_LENGTH,
  MAX_SEARCH_WORDS,
} from '../../../contract/limits.ts';
import { LINK_SORTS } from '../../../contract/links.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { SearchWord } from '../links/candidates.ts';
import { wordsToFind } from '../links/index-words.ts';
import type { LinkColumns, LinkCondition } from '../links/queries.ts';
import { type Bound, LIST_ORDERS, type ListOrder, readToken, takeBounds } from './list-position.ts';

export interface PageRequest {
  limit?: number | null | undefined;
  nextToken?: string | null | undefined;
  /** Words that title and description hold, the last one perhaps not typed to its end. */
  search?: string | null | undefined;
  /** One of LINK_SORTS. */
  sort?: string | null | undefined;
}

/** A requested page, split by what answers each part. */
export interface Listing {
  limit: number;
  /** What is read of each link where it costs less than all. */
  columns: LinkColumns;
  order: ListOrder;
  /** 1 to read the unlisted links, 0 all others: each index keeps them apart. */
  unlisted: 0 | 1;
  /** The range of the order. */
  low: Bound | null;
  high: Bound | null;
  /** One id, or what an index holds before its order. */
  keys: LinkCondition[];
  /** Conditions that no index in this order covers. */
  others: LinkCondition[];
  words: SearchWord[];
  /** Something is looked for that has no words, such as "%". */
  isVain: boolean;
}

/**
 * @throws DomainError INVALID_INPUT for a limit out of bounds, an unknown sort, a search that is
 *   too long, or a token of another list or order
 */
export function describeListing(
  conditions: LinkCondition[],
  page: PageRequest,
): Omit<Listing, 'columns'> {
  const order = orderOf(page.sort);
  const token = page.nextToken ? readToken(order, page.nextToken) : null;
  const { low, high, rest } = takeBounds(conditions, order, token);
  const keys = keysAmong(rest);
  const words = searchWords(page.search ?? '');
  return {
    limit: pageSize(page.limit),
    order,
    unlisted: 0,
    low,
    high,
    keys,
    others: rest.filter((condition) => !keys.includes(condition)),
    words,
    isVain: words.length === 0 && (page.search ?? '').trim() !== '',
  };
}

function orderOf(sort: string | null | undefined): ListOrder {
  const known = LINK_SORTS.find((one) => one === (sort ?? LINK_SORTS[0]));
  if (known) return LIST_ORDERS[known];
  const names = LINK_SORTS.map((name) => `'${name}'`).join(', ');
  throw new DomainError('INVALID_INPUT', `The sort must be one of ${names}.`);
}

function keysAmong(conditions: LinkCondition[]): LinkCondition[] {
  const equal = (name: LinkCondition['column']) =>
    conditions.filter(({ column, operator }) => column === name && operator === '=');
  const keys = [...equal('id'), ...equal('owner_id')];
  return keys.length > 0 ? keys : equal('type');
}

function searchWords(search: string): SearchWord[] {
  if (search === '') return [];
  if (isLongerThan(search, MAX_SEARCH_LENGTH)) {
    throw new DomainError(
      'INVALID_INPUT',
      fact('The search is longer than {limit} characters. Search for fewer words.', {
        limit: MAX_SEARCH_LENGTH,
      }),
    );
  }
  const words = wordsToFind(search);
  const last = words.pop();
  if (last === undefined) return [];
  const whole = [...new Set(words)].map((word) => ({ word, prefix: false }));
  return [...whole, { word: last, prefix: true }].slice(0, MAX_SEARCH_WORDS);
}

/** @throws DomainError INVALID_INPUT for a limit out of bounds */
export function pageSize(limit: number | null | undefined): number {
  if (limit == null) return DEFAULT_PAGE_SIZE;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw new DomainError('INVALID_INPUT', `The limit must be from 1 to ${MAX_PAGE_SIZE}.`);
  }
  return limit;
}
