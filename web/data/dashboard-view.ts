import { MAX_SEARCH_LENGTH } from '../../contract/limits.ts';
import { LINK_SORTS } from '../../contract/link-sorts.ts';
import type { PageContext } from '../page.ts';
import { readPeriod } from './sales-days.ts';

/** What the dashboard's address asks it to show. */
export function readView(ctx: PageContext) {
  const { q = '', sort, show, after } = ctx.query;
  const deleted = show === 'deleted';
  const search = deleted ? '' : q.trim().slice(0, MAX_SEARCH_LENGTH);
  const order = LINK_SORTS.find((known) => known === sort) ?? LINK_SORTS[0];
  return {
    /** The links that were deleted, in place of those on sale. */
    deleted,
    search,
    sort: order,
    days: readPeriod(ctx),
    after: after ?? null,
    /** The list as it is usually read, which new links are put on top of. */
    isUsual: !deleted && !search && order === 'newest' && after === undefined,
  };
}

export type DashboardView = ReturnType<typeof readView>;
