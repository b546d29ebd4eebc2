import { useRef, useState } from 'react';
import { cutCharacters } from '../../../contract/characters.ts';
import { MAX_SEARCH_LENGTH } from '../../../contract/limits.ts';
import { LINK_SORTS, type LinkSort } from '../../../contract/links.ts';
import { appendPage } from '../../lib/append-page.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { RequestError, TOO_MANY_SEARCHES } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import type { PageContext } from '../../page.ts';
import { type ExploreItem, exploreItem } from './explore-item.ts';

export const exploreQuery = graphql(
  `
    query Explore(
      $after: String, $sort: String, $search: String, $filter: ModelPaywallLinkFilterInput
    ) {
      listPaywallLinks(nextToken: $after, sort: $sort, search: $search, filter: $filter) {
        items { ...ExploreItem }
        nextToken
      }
    }
  `,
  [exploreItem],
);

type Listed = ResultOf<typeof exploreQuery>['listPaywallLinks'];

/** Pages that load by themselves; further ones need a press, so that the footer can be reached. */
const PAGES_UNASKED = 3;
/** Milliseconds without a key pressed. */
const TYPING_PAUSE = 250;

const LOAD_FAILED = 'The links could not be loaded.';

/** A page of the list: what follows `after`, to stand behind `before`. */
interface Wanted {
  query: ExploreQuery;
  after: string | null;
  before: ExploreItem[];
}

/** 'finding' another list, or 'loading' more of the same. */
type ExploreState = 'idle' | 'finding' | 'loading' | 'failed';

/** The list of the explore page: it starts with the server's page and follows the search. */
export function useExplore(first: Listed, { config, query: address, failed }: PageContext) {
  const [query, setQuery] = useState(() => readExploreQuery(address));
  const [{ items, nextToken }, setList] = useState(first ?? { items: [], nextToken: null });
  const [state, setState] = useState<ExploreState>(first ? 'idle' : 'failed');
  const [failure, setFailure] = useState(
    failed?.listPaywallLinks === 429 ? TOO_MANY_SEARCHES : LOAD_FAILED,
  );
  const [unasked, setUnasked] = useState(0);
  const latest = useRef<Wanted>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);

  /** An answer that another request has overtaken is dropped. */
  async function load(wanted: Wanted) {
    const { after, before } = wanted;
    latest.current = wanted;
    setState(after === null ? 'finding' : 'loading');
    try {
      const variables = toExploreVariables(wanted.query, after);
      const { listPaywallLinks: next } = await requestGraphql(config, exploreQuery, variables);
      if (latest.current !== wanted) return;
      if (!next) throw new Error('The list could not be loaded');
      setList({ ...next, items: appendPage(before, next.items) });
      setState('idle');
    } catch (error) {
      if (latest.current !== wanted) return;
      console.error(error);
      // What was there before is not what was looked for.
      if (after === null) setList({ items: [], nextToken: null });
      const isFlood = error instanceof RequestError && error.status === 429;
      setFailure(isFlood ? error.message : LOAD_FAILED);
      setState('failed');
    }
  }

  function loadMore() {
    const failed = state === 'failed' ? latest.current : null;
    return load(failed ?? { query, after: nextToken, before: items });
  }

  function loadUnasked() {
    setUnasked(unasked + 1);
    void loadMore();
  }

  function find(wanted: ExploreQuery) {
    clearTimeout(typing.current);
    const place = toExploreAddress(wanted);
    if (place === toExploreAddress(query)) return;
    setQuery(wanted);
    setUnasked(0);
    history.replaceState(history.state, '', place);
    void load({ query: wanted, after: null, before: [] });
  }

  return {
    query,
    items,
    nextToken,
    state,
    /** Why it failed, when it did. */
    failure,
    loadMore,
    /** Null when the next page has to be asked for. */
    loadUnasked: state === 'idle' && unasked < PAGES_UNASKED ? loadUnasked : null,
    find,
    /** Once the typing pauses. */
    findSoon(wanted: ExploreQuery) {
      clearTimeout(typing.current);
      typing.current = setTimeout(() => find(wanted), TYPING_PAUSE);
    },
  };
}

/** Prices in cents that a visitor chooses among. */
const PRICES = {
  'under-2': { lt: 200 },
  '2-to-5': { between: [200, 500] },
  'over-5': { gt: 500 },
};
const TYPES = ['file', 'link'];

/** The search of the explore page, as in its address; '' is any. */
export interface ExploreQuery {
  q: string;
  sort: LinkSort;
  price: keyof typeof PRICES | '';
  type: string;
}

const ANYTHING: ExploreQuery = { q: '', sort: 'newest', price: '', type: '' };

/** From an address or a form; unknown values become any. */
export function readExploreQuery(given: Record<string, unknown>): ExploreQuery {
  const price = String(given.price) as keyof typeof PRICES;
  const type = String(given.type);
  return {
    q: cutCharacters(String(given.q ?? ''), MAX_SEARCH_LENGTH),
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
