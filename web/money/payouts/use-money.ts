import { useState } from 'react';
import { graphql } from '../../lib/graphql.ts';
import { liveSubscription } from '../../lib/live-subscription.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useLive } from '../../lib/use-live.ts';
import { useReadSoon } from '../../lib/use-read-soon.ts';
import type { PageContext } from '../../page.ts';
import { type MoneyData, moneyQuery, moneyVariables } from './money-query.ts';

/** Announced by whatever moves money, and by each step of a payout. */
const onBalance = graphql(
  'subscription MoneyChanged($user: ID!) { onUpdateUserBalance(id: $user) { id } }',
);

/** A creator's balance and payouts, as they change. */
export function useMoney(data: MoneyData, ctx: PageContext) {
  const [shown, show] = useState(data);
  const readSoon = useReadSoon(async () => show(await read()));
  const user = ctx.viewer?.id ?? '';
  useLive(ctx.config, {
    subscriptions: [liveSubscription(onBalance, { user }, readSoon)],
    read,
    show,
  });

  function read() {
    const variables = { ...moneyVariables(ctx), refresh: false };
    return needSession(requestGraphql(ctx.config, moneyQuery, variables));
  }

  return {
    money: shown.getMoney,
    payouts: shown.listPayouts,
    booked: shown.listBookedPayouts,
    readAgain: async () => show(await read()),
  };
}
