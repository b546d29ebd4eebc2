import { type PointerEvent, useState } from 'react';
import { say } from '../../languages/say.ts';
import { formatDay, formatPrice, sayCount } from '../../lib/format.ts';
import { formatShare } from '../../lib/format-share.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import type { PageContext } from '../../page.ts';
import { TableExport } from '../../shell/table-export.tsx';
import { Alert } from '../../ui/alert.tsx';
import {
  dashboardAddress,
  PERIODS,
  readPeriod,
  type SalesDay,
  sumDays,
} from './dashboard-query.ts';

interface SalesSectionProps {
  ctx: PageContext;
  /** Null when they could not be loaded. */
  days: SalesDay[] | null;
  /** How many sales have not arrived, though the buyer was reminded. */
  undelivered: number;
  /** Nothing was sold yet: creators see what to do about it instead. */
  isUntouched: boolean;
}

/** What the last days brought: totals, a chart, and a table that says the same. */
export function SalesSection({ ctx, days, undelivered, isUntouched }: SalesSectionProps) {
  const period = readPeriod(ctx);
  if (days && isUntouched && days.every(isQuiet)) return null;
  return (
    <section aria-labelledby="sales" className="card px-6 py-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 className="text-xl" id="sales">
          {say('Sales by day')}
        </h2>
        <nav aria-label={say('Period')} className="period-tabs">
          {PERIODS.map((count) => (
            <a
              aria-current={count === period ? 'page' : undefined}
              className="tab"
              href={dashboardAddress(ctx.query, { days: String(count) })}
              key={count}
            >
              {say('{count} days', { count })}
            </a>
          ))}
        </nav>
      </div>
      {days ? (
        <>
          <SalesTotals days={days} />
          <SalesChart days={days} key={period} />
          <SalesTable days={days} />
          <p className="flex flex-wrap gap-x-6">
            <a className="text-link inline-flex min-h-11 items-center" href="/dashboard/sales">
              {say('Show each sale')}
            </a>
            <a className="text-link inline-flex min-h-11 items-center" href="/dashboard/sources">
              {say('Where visitors come from')}
            </a>
            {undelivered > 0 && (
              <a
                className="text-link inline-flex min-h-11 items-center"
                href="/dashboard/sales?show=undelivered"
              >
                {say('Not delivered yet: {count}', { count: undelivered })}
              </a>
            )}
          </p>
          <TableExport
            ctx={ctx}
            tables={{ '/dashboard/sales.csv': say('Export all sales (CSV)') }}
          />
        </>
      ) : (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Alert>{say('{what} could not be loaded.', { what: say('Your sales') })}</Alert>
          <a
            className="button button-secondary button-small"
            href={dashboardAddress(ctx.query, {})}
          >
            {say('Try again')}
          </a>
        </div>
      )}
    </section>
  );
}

const isQuiet = ({ views, sales, returned }: SalesDay) => views + sales + returned === 0;

/** Units of the drawing: the browser stretches it. */
const STEP = 10;
const BAR = 7;
const HEIGHT = 100;
/** A day without sales is still a day. */
const STUB = 1.5;

/**
 * A bar for each day, as high as its earnings. Pointing at a day, or moving through the days with
 * the arrow keys, shows its figures; before JavaScript runs, the bars' own titles do.
 */
function SalesChart({ days }: { days: SalesDay[] }) {
  const [chosen, choose] = useState(days.length - 1);
  const hydrated = useHydrated();
  const most = niceCeil(Math.max(...days.map(({ net }) => net)));
  const day = days[chosen];
  const [first, last] = [days[0], days.at(-1)];

  function point(event: PointerEvent<HTMLInputElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    choose(Math.min(Math.max(index, 0), days.length - 1));
  }

  return (
    <div className="grid grid-cols-[auto_1fr] gap-3 text-sm tabular-nums">
      <p aria-hidden="true" className="col-start-2 min-h-6">
        {day && describeDay(day)}
      </p>
      <p aria-hidden="true" className="-my-2.5 flex flex-col justify-between text-end text-muted">
        {[most, most / 2, 0].map((cents) => (
          <span key={cents}>{formatAxis(cents)}</span>
        ))}
      </p>
      <div className="sales-plot">
        <svg
          aria-hidden="true"
          focusable="false"
          overflow="visible"
          preserveAspectRatio="none"
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        >
          <path
            d={`M0 0H${days.length * STEP}M0 ${HEIGHT / 2}H${days.length * STEP}`}
            vectorEffect="non-scaling-stroke"
          />
          {days.map((each, index) => {
            const height = Math.max(STUB, (each.net / most) * HEIGHT);
            return (
              <rect
                data-chosen={index === chosen}
                data-quiet={each.sales === 0}
                height={height}
                key={each.day}
                width={BAR}
                x={index * STEP + (STEP - BAR) / 2}
                y={HEIGHT - height}
              >
                <title>{describeDay(each)}</title>
              </rect>
            );
          })}
        </svg>
        {hydrated && (
          <input
            aria-label={say('Day')}
            aria-valuetext={day && describeDay(day)}
            max={days.length - 1}
            min={0}
            onChange={(event) => choose(Number(event.currentTarget.value))}
            onPointerDown={point}
            onPointerMove={point}
            type="range"
            value={chosen}
          />
        )}
      </div>
      <p aria-hidden="true" className="col-start-2 flex justify-between text-muted">
        <span>{first && formatDay(first.day)}</span>
        <span>{last && formatDay(last.day)}</span>
      </p>
    </div>
  );
}

/** The next amount that an axis is easily read from, in cents: 920 -> 1000, 0 -> 100. */
function niceCeil(cents: number): number {
  if (cents <= 100) return 100;
  const unit = 10 ** Math.floor(Math.log10(cents));
  return unit * ([1, 2, 4, 6, 8].find((step) => step * unit >= cents) ?? 10);
}

/** 1000 -> "$10", 50 -> "$0.50" */
const formatAxis = (cents: number) => formatPrice(cents).replace(/[.,]00(?!\d)/, '');

/** "Nov 21, 2026: 2 sales, $9.20" */
function describeDay({ day, sales, net, returned }: SalesDay): string {
  const sold = `${sayCount(sales, '1 sale', '{count} sales')}, ${formatPrice(net)}`;
  const back = returned > 0 ? `, ${say('{price} returned', { price: formatPrice(returned) })}` : '';
  return `${formatDay(day)}: ${sold}${back}`;
}

/** The chart in words and figures, the newest day first. */
function SalesTable({ days }: { days: SalesDay[] }) {
  return (
    <details className="sales-table">
      <summary className="disclosure">{say('Show as a table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label={say('Sales by day, as a table')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say('Day (UTC)')}</th>
              <th scope="col">{say('Views')}</th>
              <th scope="col">{say('Checkouts')}</th>
              <th scope="col">{say('Sales')}</th>
              <th scope="col">{say('Earned')}</th>
              <th scope="col">{say('Returned')}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{formatDay(day.day)}</th>
                <td>{day.views}</td>
                <td>{day.checkouts}</td>
                <td>{day.sales}</td>
                <td>{formatPrice(day.net)}</td>
                <td>{formatPrice(day.returned)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** All days together. */
function SalesTotals({ days }: { days: SalesDay[] }) {
  const { sales, earned, returned, views } = sumDays(days);
  // Views may not have been counted from the start, or not where images are blocked.
  const isCounted = sales <= views;
  return (
    <dl className="sales-totals">
      <Total name={say('Sales')}>{sales}</Total>
      <Total
        hint={
          returned > 0 ? say('after {price} returned', { price: formatPrice(returned) }) : undefined
        }
        name={say('Earned')}
      >
        {formatPrice(earned)}
      </Total>
      <Total
        hint={
          isCounted
            ? sayCount(views, 'of 1 view', 'of {count} views')
            : sayCount(views, 'only 1 view counted', 'only {count} views counted')
        }
        name={say('Conversion')}
      >
        {views > 0 && isCounted ? formatShare(sales / views) : '–'}
      </Total>
    </dl>
  );
}

interface TotalProps {
  name: string;
  hint?: string | undefined;
  children: string | number;
}

function Total({ name, hint, children }: TotalProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-2xl font-semibold tracking-tight tabular-nums">{children}</dd>
      {hint && <dd className="text-sm text-muted tabular-nums">{hint}</dd>}
    </div>
  );
}
