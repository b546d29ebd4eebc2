import { Fragment } from 'react';
import { sayCount } from '../lib/format.ts';
import { ArrowIcon } from './icons.tsx';

interface FunnelProps {
  of: { views: number; checkouts: number; sales: number };
}

/** The way from a view over a checkout to a sale: "12 views → 3 checkouts → 1 sale" */
export function Funnel({ of: { views, checkouts, sales } }: FunnelProps) {
  const steps = [
    sayCount(views, '1 view', '{count} views'),
    sayCount(checkouts, '1 checkout', '{count} checkouts'),
    sayCount(sales, '1 sale', '{count} sales'),
  ];
  return steps.map((step, index) => (
    <Fragment key={step}>
      {index > 0 && (
        <>
          <ArrowIcon className="mx-1.5 inline size-3.5" />
          <span className="sr-only">, </span>
        </>
      )}
      <span className="whitespace-nowrap">{step}</span>
    </Fragment>
  ));
}
