import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say, spoken } from '../../languages/say.ts';
import { formatPrice } from '../../lib/format.ts';
import { type FragmentOf, graphql, type ResultOf } from '../../lib/graphql.ts';
import type { PageContext } from '../../page.ts';

const moneyFields = graphql(`
  fragment MoneyFields on Money {
    balance available pending reserved inTransit obstacle: obstacleFact
    releases { availableOn amount sales }
    account { state bankAccount missing }
  }
`);

const payoutFields = graphql(
  'fragment PayoutFields on Payout { id amount cost arrives state note: noteFact bankAccount requestedAt changedAt }',
);

const bookedFields = graphql(
  'fragment BookedFields on BookedPayout { id amount reference bookedAt }',
);

export type BookedPayout = FragmentOf<typeof bookedFields>;
export type Money = FragmentOf<typeof moneyFields>;
export type Payout = FragmentOf<typeof payoutFields>;

export const moneyQuery = graphql(
  `
    query Money($after: String, $refresh: Boolean!) {
      getMoney(refresh: $refresh) { ...MoneyFields }
      listPayouts(nextToken: $after) { items { ...PayoutFields } nextToken }
      listBookedPayouts { ...BookedFields }
    }
  `,
  [moneyFields, payoutFields, bookedFields],
);

export type MoneyData = ResultOf<typeof moneyQuery>;

/** Who comes back from the provider is told what has changed there, whatever else is late. */
export const moneyVariables = ({ query }: PageContext) => ({
  after: query.after ?? null,
  refresh: query.account === 'returned',
});

/** 1234567 -> "$12,345.67": sums grow longer than prices. */
export function formatSum(cents: number): string {
  const price = formatPrice(cents);
  return spoken() ? price : price.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function nameProvider({ payments }: RuntimeConfig): string {
  return payments === 'sandbox' ? say('the sandbox') : 'Stripe';
}

export function nameOperator({ operator }: RuntimeConfig): string {
  return operator.name ?? say('the operator of this site');
}
