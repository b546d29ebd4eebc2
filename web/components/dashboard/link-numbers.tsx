import { Fragment } from 'react';
import { countOf } from '../../data/format.ts';
import type { OwnLink } from '../../data/link-pages.ts';
import { ArrowIcon } from '../icons.tsx';

/** The way from a view over a checkout to a sale. */
export function LinkNumbers({ of }: { of: OwnLink['statistics'] }) {
  if (!of) return null;
  const steps = [
    countOf(of.views, 'view'),
    countOf(of.checkouts, 'checkout'),
    countOf(of.sales, 'sale'),
  ];
  return (
    <p className="text-sm text-muted tabular-nums">
      {steps.map((step, index) => (
        <Fragment key={step}>
          {index > 0 && (
            <>
              <ArrowIcon className="mx-1.5 inline size-3.5" />
              <span className="sr-only">, </span>
            </>
          )}
          <span className="whitespace-nowrap">{step}</span>
        </Fragment>
      ))}
      {of.refunds > 0 && `, ${countOf(of.refunds, 'refund')}`}
    </p>
  );
}
