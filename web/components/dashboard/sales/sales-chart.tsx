import { type PointerEvent, useState } from 'react';
import { countOf, formatDay, formatPrice } from '../../../data/format.ts';
import type { SalesDay } from '../../../data/sales-days.ts';
import { useHydrated } from '../../../data/use-hydrated.ts';

/** Units of the drawing: the browser stretches it. */
const STEP = 10;
const BAR = 7;
const HEIGHT = 100;
/** A day without sales is still a day. */
const STUB = 1.5;

/**
 * A bar for each day, as high as what it brought. Pointing at a day, or moving through the days
 * with the arrow keys, tells what it was; before JavaScript runs, the bars' own titles do.
 */
export function SalesChart({ days }: { days: SalesDay[] }) {
  const [chosen, choose] = useState(days.length - 1);
  const hydrated = useHydrated();
  const most = Math.max(...days.map(({ net }) => net));
  const day = days[chosen];
  const [first, last] = [days[0], days.at(-1)];

  function point(event: PointerEvent<HTMLInputElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    choose(Math.min(Math.max(index, 0), days.length - 1));
  }

  return (
    <div className="sales-chart">
      <p aria-hidden="true" className="min-h-6 text-sm tabular-nums">
        {day && describeDay(day)}
      </p>
      <div className="sales-plot">
        <svg
          aria-hidden="true"
          focusable="false"
          preserveAspectRatio="none"
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        >
          {days.map((each, index) => {
            const height = most > 0 ? Math.max(STUB, (each.net / most) * HEIGHT) : STUB;
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
            aria-label="Day"
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
      <p aria-hidden="true" className="flex justify-between text-sm text-muted">
        <span>{first && formatDay(first.day)}</span>
        <span>{last && formatDay(last.day)}</span>
      </p>
    </div>
  );
}

/** "Nov 21, 2026: 2 sales, $9.20" */
function describeDay({ day, sales, net, returned }: SalesDay): string {
  const back = returned > 0 ? `, ${formatPrice(returned)} taken back` : '';
  return `${formatDay(day)}: ${countOf(sales, 'sale')}, ${formatPrice(net)}${back}`;
}
