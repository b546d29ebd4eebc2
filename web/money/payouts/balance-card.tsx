import type { ReactNode } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { formatSum, type Money, nameProvider } from './money-query.ts';

/** What is owed to the creator, and what of it may be paid out. */
export function BalanceCard({ money, config }: { money: Money; config: RuntimeConfig }) {
  const { balance, available, pending, reserved, inTransit } = money;
  const isSolo = config.payouts.kind === 'solo';
  return (
    <section aria-labelledby="balance" className="card px-6 py-6 sm:px-8 sm:py-7">
      <h2 className="text-base font-medium tracking-normal text-muted" id="balance">
        {say(isSolo ? 'Earned' : 'Balance')}
      </h2>
      <p
        aria-live="polite"
        className="mt-1 text-4xl font-semibold tracking-tight tabular-nums wrap-anywhere sm:text-5xl"
      >
        {formatSum(balance)}
      </p>
      {!isSolo && (
        <dl className="money-parts">
          <Part cents={available} name={say('Available')} />
          <Part cents={pending} name={say('Pending')}>
            {reserved > 0 && (
              <p className="text-sm font-normal text-muted">
                {say('{sum} of it reserved', { sum: formatSum(reserved) })}
              </p>
            )}
          </Part>
          {inTransit > 0 && <Part cents={inTransit} name={say('Being paid out')} />}
        </dl>
      )}
      <Explanation config={config} money={money} />
    </section>
  );
}

interface PartProps {
  name: string;
  cents: number;
  children?: ReactNode;
}

function Part({ name, cents, children }: PartProps) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="text-lg font-medium tabular-nums wrap-anywhere">
        {formatSum(cents)}
        {children}
      </dd>
    </div>
  );
}

/** What the figures do not say by themselves. */
function Explanation({ money, config }: { money: Money; config: RuntimeConfig }) {
  const words = explain(money, config);
  return words && <p className="mt-4 max-w-prose text-muted">{words}</p>;
}

function explain({ balance, available, pending }: Money, config: RuntimeConfig): string {
  if (config.payouts.kind === 'solo') {
    return say(
      'Only the operator of this site sells here: what buyers pay goes straight to the operator’s own account at {provider}. Padlink keeps the books and holds no money.',
      { provider: nameProvider(config) },
    );
  }
  if (balance < 0) {
    return say(
      'Refunds and disputes took back more than your sales had left. You do not have to pay anything: your next sales make up for it.',
    );
  }
  const missing = available + pending - balance;
  if (missing > 0) {
    return say(
      'Refunds and disputes took back {sum} more than was available. What is pending makes up for it.',
      { sum: formatSum(missing) },
    );
  }
  return balance === 0 && pending === 0
    ? say('Your share of each sale is added here at once.')
    : '';
}
