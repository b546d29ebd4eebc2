import { dashboardAddress } from '../../../data/dashboard-address.ts';
import { PERIODS, readPeriod, type SalesDay } from '../../../data/sales-days.ts';
import type { PageContext } from '../../../page.ts';
import { Alert } from '../../alert.tsx';
import { SalesChart } from './sales-chart.tsx';
import { SalesTable } from './sales-table.tsx';
import { SalesTotals } from './sales-totals.tsx';

interface SalesSectionProps {
  ctx: PageContext;
  /** Null when they could not be loaded. */
  days: SalesDay[] | null;
  /** There are no links: whoever has nothing to sell is shown how to begin instead. */
  isUntouched: boolean;
}

/** What the last days brought: totals, a chart, and a table that says the same. */
export function SalesSection({ ctx, days, isUntouched }: SalesSectionProps) {
  const period = readPeriod(ctx);
  if (days && isUntouched && days.every(isQuiet)) return null;
  return (
    <section aria-labelledby="sales" className="card px-6 py-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 className="text-xl" id="sales">
          Sales by day
        </h2>
        <nav aria-label="Period" className="period-tabs">
          {PERIODS.map((count) => (
            <a
              aria-current={count === period ? 'page' : undefined}
              className="tab"
              href={dashboardAddress(ctx.query, { days: String(count) })}
              key={count}
            >
              {count} days
            </a>
          ))}
        </nav>
      </div>
      {days ? (
        <>
          <SalesTotals days={days} />
          <SalesChart days={days} key={period} />
          <SalesTable days={days} />
          <a className="text-link inline-flex min-h-11 items-center" href="/dashboard/sales.csv">
            Export all sales (CSV)
          </a>
        </>
      ) : (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Alert>Your sales could not be loaded.</Alert>
          <a
            className="button button-secondary button-small"
            href={dashboardAddress(ctx.query, {})}
          >
            Try again
          </a>
        </div>
      )}
    </section>
  );
}

const isQuiet = ({ views, sales, returned }: SalesDay) => views + sales + returned === 0;
