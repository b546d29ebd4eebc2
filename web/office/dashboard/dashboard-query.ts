import { MAX_SEARCH_LENGTH } from '../../../contract/limits.ts';
import { LINK_SORTS } from '../../../contract/links.ts';
import { type FragmentOf, graphql, type ResultOf } from '../../lib/graphql.ts';
import type { PageContext } from '../../page.ts';
import { ownLink } from './link-pages.ts';

const salesDay = graphql(
  'fragment SalesDay on SalesDay { day views checkouts sales refunds net returned }',
);

export type SalesDay = FragmentOf<typeof salesDay>;

/** How many days the chart may show. */
export const PERIODS = [7, 30, 90];
const USUAL_PERIOD = 30;

export function readPeriod({ query }: PageContext): number {
  return PERIODS.find((days) => String(days) === query.days) ?? USUAL_PERIOD;
}

/** All days together; money in cents. */
export function sumDays(days: SalesDay[]) {
  const sum = (of: (day: SalesDay) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    views: sum(({ views }) => views),
    sales: sum(({ sales }) => sales),
    earned: sum(({ net, returned }) => net - returned),
    returned: sum(({ returned }) => returned),
  };
}

type Query = Record<string, string>;

/** What the dashboard shows, as its address says. */
const KEPT = ['days', 'show', 'q', 'sort', 'after'];

/** The dashboard's address with some parts changed; undefined removes a part. */
export function dashboardAddress(query: Query, changes: Record<string, string | undefined>) {
  const wanted: Record<string, string | undefined> = { ...query, ...changes };
  const parts = KEPT.flatMap((name) => {
    const value = wanted[name];
    return value ? [[name, value]] : [];
  });
  return `/dashboard${parts.length > 0 ? `?${new URLSearchParams(parts)}` : ''}`;
}

/** What the dashboard's address asks it to show. */
export function readView(ctx: PageContext) {
  const { q = '', sort, show, after } = ctx.query;
  const deleted = show === 'deleted';
  // Never more than the server takes.
  const search = deleted ? '' : [...q.trim()].slice(0, MAX_SEARCH_LENGTH).join('');
  const order = LINK_SORTS.find((known) => known === sort) ?? LINK_SORTS[0];
  return {
    /** The links that were deleted, in place of those on sale. */
    deleted,
    search,
    sort: order,
    days: readPeriod(ctx),
    after: after ?? null,
    /** The usual list, to the top of which new links are added. */
    isUsual: !deleted && !search && order === 'newest' && after === undefined,
  };
}

export type DashboardView = ReturnType<typeof readView>;

export const dashboardQuery = graphql(
  `
    query Dashboard(
      $owner: String!, $user: ID!, $days: Int!, $after: String, $search: String, $sort: String,
      $deleted: Boolean!, $edit: ID!, $editing: Boolean!
    ) {
      listPaywallLinks(filter: { owner: { eq: $owner } }, nextToken: $after, search: $search,
        sort: $sort) @skip(if: $deleted) {
        items { ...OwnLink }
        nextToken
      }
      listDeletedPaywallLinks(nextToken: $after) @include(if: $deleted) {
        items { ...OwnLink }
        nextToken
      }
      getUserBalance(id: $user) { balance pending available }
      getSalesByDay(days: $days) { ...SalesDay }
      countUndeliveredSales
      listOwnTakeDowns { items { linkId title reason words objection answer } }
      getPaywallLink(id: $edit) @include(if: $editing) { ...OwnLink mine }
    }
  `,
  [ownLink, salesDay],
);

export type DashboardData = ResultOf<typeof dashboardQuery>;

export function dashboardVariables(ctx: PageContext, after: string | null = readView(ctx).after) {
  const user = ctx.viewer?.id ?? '';
  const { days, search, sort, deleted } = readView(ctx);
  const edit = ctx.query.edit ?? '';
  return { owner: user, user, days, after, search, sort, deleted, edit, editing: edit !== '' };
}

/** The page of links that was asked for; null when it could not be loaded. */
export function linksOf(data: DashboardData, { deleted }: DashboardView) {
  return (deleted ? data.listDeletedPaywallLinks : data.listPaywallLinks) ?? null;
}
