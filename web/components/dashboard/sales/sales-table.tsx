import { formatDay, formatPrice } from '../../../data/format.ts';
import type { SalesDay } from '../../../data/sales-days.ts';

/** The chart in words and figures, the newest day first. */
export function SalesTable({ days }: { days: SalesDay[] }) {
  return (
    <details className="sales-table">
      <summary>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label="Sales by day, as a table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">Views</th>
              <th scope="col">Checkouts</th>
              <th scope="col">Sales</th>
              <th scope="col">Earned</th>
              <th scope="col">Taken back</th>
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
