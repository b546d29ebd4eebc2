import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { countOf, formatDay } from '../lib/format.ts';
import { formatSum, type Money, nameProvider } from './money-query.ts';

/** Every pending cent: when it becomes available, and why not before. */
export function Releases({ money, config }: { money: Money; config: RuntimeConfig }) {
  const { releases, reserved } = money;
  if (config.payouts.kind === 'solo' || (releases.length === 0 && reserved === 0)) return null;
  return (
    <section aria-labelledby="pending">
      <h2 className="text-2xl" id="pending">
        When pending money becomes available
      </h2>
      <p className="mt-2 max-w-prose text-muted">{explainHold(config)}</p>
      <ul className="card mt-4 divide-y divide-line">
        {releases.map(({ availableOn, amount, sales }) => (
          <li className="money-row" key={availableOn}>
            <p>
              <strong className="font-semibold tabular-nums">{formatSum(amount)}</strong> from{' '}
              {countOf(sales, 'sale')}
            </p>
            <p className="text-muted">
              on <time dateTime={availableOn}>{formatDay(availableOn)}</time>
            </p>
          </li>
        ))}
        {reserved > 0 && (
          <li className="money-row">
            <p>
              <strong className="font-semibold tabular-nums">{formatSum(reserved)}</strong> reserved
            </p>
            <p className="text-muted">
              until{' '}
              <a className="text-link text-ink" href="/dashboard/sales">
                refunds and disputes
              </a>{' '}
              are decided
            </p>
          </li>
        )}
      </ul>
    </section>
  );
}

function explainHold(config: RuntimeConfig): string {
  const { holdDays } = config.payouts;
  const cleared = `until ${nameProvider(config)} has made the payment available`;
  if (holdDays === 0) return `The money of a sale is pending ${cleared}.`;
  return `The money of a sale is pending for ${countOf(holdDays, 'day')}, because a buyer may still be refunded, and ${cleared}.`;
}
