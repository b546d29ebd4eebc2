import { useId, useRef } from 'react';
import { MAX_SEARCH_LENGTH } from '../../../contract/limits.ts';
import { LINK_SORTS } from '../../../contract/link-sorts.ts';
import type { DashboardView } from '../../data/dashboard-view.ts';

const SORT_NAMES = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  cheapest: 'Price, low to high',
  dearest: 'Price, high to low',
};

/** Finds and sorts links: a plain form, whose answer is a page of its own. */
export function ListTools({ view }: { view: DashboardView }) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  return (
    <search>
      <form action="/dashboard" className="list-tools" method="get" ref={form}>
        <input name="days" type="hidden" value={view.days} />
        <div className="flex-1 basis-48">
          <label className="mb-1 block text-sm font-medium" htmlFor={`${id}-search`}>
            Search your links
          </label>
          <input
            className="input"
            defaultValue={view.search}
            enterKeyHint="search"
            id={`${id}-search`}
            maxLength={MAX_SEARCH_LENGTH}
            name="q"
            type="search"
          />
        </div>
        <div>
          <label className="mb-1 block text-sm font-medium" htmlFor={`${id}-sort`}>
            Sort by
          </label>
          <select
            className="input"
            defaultValue={view.sort}
            id={`${id}-sort`}
            name="sort"
            onChange={() => form.current?.requestSubmit()}
          >
            {LINK_SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {SORT_NAMES[sort]}
              </option>
            ))}
          </select>
        </div>
        <button className="button button-secondary" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}
