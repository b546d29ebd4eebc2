import type { PageContext } from '../../contract/page-context.ts';
import { type FragmentOf, graphql } from './graphql.ts';

export const salesDay = graphql(
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
