import type { PageContext } from '../page.ts';
import { type DashboardView, readView } from './dashboard-view.ts';
import { graphql, type ResultOf } from './graphql.ts';
import { ownLink } from './link-pages.ts';
import { salesDay } from './sales-days.ts';

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
