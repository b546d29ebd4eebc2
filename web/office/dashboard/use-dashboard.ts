import { useState } from 'react';
import type { PageContext } from '../../../contract/page-context.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { type LiveSubscription, liveSubscription } from '../../lib/live-subscription.ts';
import { requestGraphql, requestPartly } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useLive } from '../../lib/use-live.ts';
import { useReadSoon } from '../../lib/use-read-soon.ts';
import { withChangedLink, withFreshPage, withNewLink, withoutLink } from './change-links.ts';
import {
  type DashboardData,
  dashboardQuery,
  dashboardVariables,
  linksOf,
  readView,
} from './dashboard-query.ts';
import { type OwnLink, ownLink, useLinkPages } from './link-pages.ts';

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

const onSale = graphql(
  'subscription Sold($user: ID!) { onCreateSale(user: $user) { id linkId title key url gross } }',
);

/** A sale that was made while the page is open. */
export type NewSale = NonNullable<ResultOf<typeof onSale>['onCreateSale']>;

/** A creator's links, balance and sales, as they change. */
export function useDashboard(data: DashboardData, ctx: PageContext) {
  const view = readView(ctx);
  const [balance, setBalance] = useState(data.getUserBalance);
  const [days, setDays] = useState(data.getSalesByDay);
  const [balanceFailed, setBalanceFailed] = useState(ctx.failed?.getUserBalance !== undefined);
  const [newSales, setNewSales] = useState<NewSale[]>([]);
  /** What was done to a link, and the id of the one that is no longer listed. */
  const [said, setSaid] = useState('');
  const [gone, setGone] = useState('');
  const { change, ...list } = useLinkPages(linksOf(data, view), async (after) => {
    const answer = await requestPartly(ctx.config, dashboardQuery, dashboardVariables(ctx, after));
    setBalance(answer.data.getUserBalance);
    setDays(answer.data.getSalesByDay);
    setBalanceFailed(answer.failed.has('getUserBalance'));
    return linksOf(answer.data, view);
  });

  useLive(ctx.config, { subscriptions: subscriptions(), read, show });
  const readSoon = useReadSoon(async () => show(await read()));

  function read() {
    return needSession(requestGraphql(ctx.config, dashboardQuery, dashboardVariables(ctx)));
  }

  function show(answer: DashboardData) {
    const fresh = linksOf(answer, view);
    // A failure stays visible until it is retried.
    if (!fresh || list.state !== 'idle' || balanceFailed) return;
    setBalance(answer.getUserBalance);
    setDays(answer.getSalesByDay);
    change((shown) => {
      if (view.isUsual) return withFreshPage(shown, fresh);
      // In another order it is not known which of those that were loaded later still follow.
      return shown.items.length > fresh.items.length ? shown : fresh;
    });
  }

  function subscriptions(): LiveSubscription[] {
    const { owner, user } = dashboardVariables(ctx);
    return [
      liveSubscription(onCreate, { owner }, ({ onCreatePaywallLink: link }) => {
        if (link && view.isUsual) change((shown) => withNewLink(shown, link));
      }),
      liveSubscription(onUpdate, { owner }, ({ onUpdatePaywallLink: link }) => {
        if (link) change((shown) => withChangedLink(shown, link));
      }),
      liveSubscription(onDelete, { owner }, ({ onDeletePaywallLink: link }) => {
        if (link && view.deleted) readSoon();
        else if (link) change((shown) => withoutLink(shown, link.id));
      }),
      liveSubscription(onBalance, { user }, (answer) => {
        setBalance(answer.onUpdateUserBalance);
        readSoon();
      }),
      liveSubscription(onSale, { user }, ({ onCreateSale: sale }) => {
        if (sale) setNewSales((known) => [sale, ...known]);
      }),
    ];
  }

  return {
    ...list,
    balance,
    balanceFailed,
    days,
    newSales,
    forgetNewSales: () => setNewSales([]),
    said,
    gone,
    tellChanged(link: OwnLink, what: string) {
      change((shown) => withChangedLink(shown, link));
      setSaid(what);
    },
    tellGone(link: OwnLink, what: Sentence) {
      change((shown) => withoutLink(shown, link.id));
      setSaid(say(what, { name: nameOwnLink(link) }));
      setGone(link.id);
    },
  };
}
