import { useState } from 'react';
import type { PageContext } from '../../contract/page-context.ts';
import { withChangedLink, withFreshPage, withNewLink, withoutLink } from './change-links.ts';
import { graphql, type ResultOf } from './graphql.ts';
import { type OwnLink, ownLink } from './link-pages.ts';
import { type LiveSubscription, liveSubscription } from './live/live-subscription.ts';
import { useLive } from './live/use-live.ts';
import { requestGraphql, requestPartly } from './request-graphql.ts';
import { readPeriod, salesDay } from './sales-days.ts';
import { needSession } from './sign-in-again.ts';
import { useLinkPages } from './use-link-pages.ts';
import { useReadSoon } from './use-read-soon.ts';

export const dashboardQuery = graphql(
  `
    query Dashboard($owner: String!, $user: ID!, $after: String, $days: Int!) {
      listPaywallLinks(filter: { owner: { eq: $owner } }, nextToken: $after) {
        items { ...OwnLink }
        nextToken
      }
      getUserBalance(id: $user) { balance pending available }
      getSalesByDay(days: $days) { ...SalesDay }
    }
  `,
  [ownLink, salesDay],
);

const onCreate = graphql(
  'subscription Created($owner: String!) { onCreatePaywallLink(owner: $owner) { ...OwnLink } }',
  [ownLink],
);
const onUpdate = graphql(
  'subscription Updated($owner: String!) { onUpdatePaywallLink(owner: $owner) { ...OwnLink } }',
  [ownLink],
);
const onDelete = graphql(
  'subscription Deleted($owner: String!) { onDeletePaywallLink(owner: $owner) { id } }',
);
const onBalance = graphql(
  'subscription Balance($user: ID!) { onUpdateUserBalance(id: $user) { balance pending available } }',
);

export function dashboardVariables(ctx: PageContext, after = ctx.query.after ?? null) {
  const user = ctx.viewer?.id ?? '';
  return { owner: user, user, after, days: readPeriod(ctx) };
}

/** A creator's links and balance, as they change. */
export function useDashboard(data: ResultOf<typeof dashboardQuery>, ctx: PageContext) {
  const [balance, setBalance] = useState(data.getUserBalance);
  const [days, setDays] = useState(data.getSalesByDay);
  const [balanceFailed, setBalanceFailed] = useState(ctx.failed?.getUserBalance !== undefined);
  const { change, ...list } = useLinkPages(data.listPaywallLinks, async (after) => {
    const answer = await requestPartly(ctx.config, dashboardQuery, dashboardVariables(ctx, after));
    setBalance(answer.data.getUserBalance);
    setDays(answer.data.getSalesByDay);
    setBalanceFailed(answer.failed.has('getUserBalance'));
    return answer.data.listPaywallLinks;
  });

  useLive(ctx.config, { subscriptions: subscriptions(), read, show });
  const readSoon = useReadSoon(async () => show(await read()));

  function read() {
    return needSession(requestGraphql(ctx.config, dashboardQuery, dashboardVariables(ctx)));
  }

  function show(answer: ResultOf<typeof dashboardQuery>) {
    const { getUserBalance, getSalesByDay, listPaywallLinks: fresh } = answer;
    // What failed stays on show until somebody asks for it again.
    if (!fresh || list.state !== 'idle' || balanceFailed) return;
    setBalance(getUserBalance);
    setDays(getSalesByDay);
    change((shown) => withFreshPage(shown, fresh));
  }

  function subscriptions(): LiveSubscription[] {
    const { owner, user } = dashboardVariables(ctx);
    const isFirstPage = ctx.query.after === undefined;
    return [
      liveSubscription(onCreate, { owner }, ({ onCreatePaywallLink: link }) => {
        if (link && isFirstPage) change((shown) => withNewLink(shown, link));
      }),
      liveSubscription(onUpdate, { owner }, ({ onUpdatePaywallLink: link }) => {
        if (link) change((shown) => withChangedLink(shown, link));
      }),
      liveSubscription(onDelete, { owner }, ({ onDeletePaywallLink: link }) => {
        if (link) change((shown) => withoutLink(shown, link.id));
      }),
      liveSubscription(onBalance, { user }, (answer) => {
        setBalance(answer.onUpdateUserBalance);
        readSoon();
      }),
    ];
  }

  return {
    ...list,
    balance,
    balanceFailed,
    days,
    showChanged: (link: OwnLink) => change((shown) => withChangedLink(shown, link)),
    showDeleted: (link: OwnLink) => change((shown) => withoutLink(shown, link.id)),
  };
}
