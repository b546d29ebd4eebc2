import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatDay } from '../../lib/format.ts';
import { formatSum, type Money, nameProvider } from './money-query.ts';

/** Every pending cent: when it becomes available, and why not before. */
export function Releases({ money, config }: { money: Money; config: RuntimeConfig }) {
  const { releases, reserved } = money;
  if (config.payouts.kind === 'solo' || (releases.length === 0 && reserved === 0)) return null;
  return (
    <section aria-labelledby="pending">
      <h2 className="text-2xl" id="pending">
        {say('When pending money becomes available')}
      </h2>
      <p className="mt-2 max-w-prose text-muted">{explainHold(config)}</p>
      <ul className="card mt-4 divide-y divide-line">
        {releases.map(({ availableOn, amount, sales }) => (
          <li className="money-row" key={availableOn}>
            <p>
              {sayWith(sales === 1 ? '{sum} from 1 sale' : '{sum} from {count} sales', {
                sum: <Sum cents={amount} />,
                count: sales,
              })}
            </p>
            <p className="text-muted">
              {sayWith('on {day}', {
                day: <time dateTime={availableOn}>{formatDay(availableOn)}</time>,
              })}
            </p>
          </li>
        ))}
        {reserved > 0 && (
          <li className="money-row">
            <p>{sayWith('{sum} reserved', { sum: <Sum cents={reserved} /> })}</p>
            <p className="text-muted">
              {sayWith('until {cases} are decided', {
                cases: (
                  <a className="text-link text-ink" href="/dashboard/sales">
                    {say('refunds and disputes')}
                  </a>
                ),
              })}
            </p>
          </li>
        )}
      </ul>
    </section>
  );
}

function explainHold(config: RuntimeConfig): string {
  const { holdDays } = config.payouts;
  const provider = nameProvider(config);
  if (holdDays === 0) {
    return say('The money of a sale is pending until {provider} has made the payment available.', {
      provider,
    });
  }
  return say(
    holdDays === 1
      ? 'The money of a sale is pending for 1 day, because a buyer may still be refunded, and until {provider} has made the payment available.'
      : 'The money of a sale is pending for {days} days, because a buyer may still be refunded, and until {provider} has made the payment available.',
    { provider, days: holdDays },
  );
}

function Sum({ cents }: { cents: number }) {
  return <strong className="font-semibold tabular-nums">{formatSum(cents)}</strong>;
}
