import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say, tell } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import type { PageContext } from '../../page.ts';
import { ChangeFailure } from '../../ui/change-failure.tsx';
import { formatSum, type Money, nameOperator, nameProvider } from './money-query.ts';
import { PayoutDialog } from './payout-dialog.tsx';
import { PayoutSetup } from './payout-setup.tsx';

interface GetPaidProps {
  ctx: PageContext;
  money: Money;
  /** No payout was ever asked for. */
  isFirst: boolean;
  onAsked(what: string, payoutId: string): Promise<void>;
}

/** How the available money gets to the creator, and what is in the way of that. */
export function GetPaid({ ctx, money, isFirst, onAsked }: GetPaidProps) {
  const { kind } = ctx.config.payouts;
  if (kind === 'solo') return null;
  if (kind === 'manual') return <PaidByHand config={ctx.config} />;
  if (money.account.state !== 'ready') return <PayoutSetup ctx={ctx} money={money} />;
  return <AskForPayout ctx={ctx} isFirst={isFirst} money={money} onAsked={onAsked} />;
}

function PaidByHand({ config }: { config: RuntimeConfig }) {
  const { supportEmail } = config;
  return (
    <section aria-labelledby="get-paid" className="card px-6 py-6 sm:px-8">
      <h2 className="text-xl" id="get-paid">
        {say('How you are paid')}
      </h2>
      <p className="mt-2 max-w-prose">
        {say(
          '{operator} pays you what is available. Each payout is listed below once it is made.',
          { operator: capitalize(nameOperator(config)) },
        )}
      </p>
      {supportEmail && (
        <p className="mt-2 text-muted">
          {sayWith('Questions about a payout: {email}', {
            email: (
              <a className="text-link text-ink" href={`mailto:${supportEmail}`}>
                {supportEmail}
              </a>
            ),
          })}
        </p>
      )}
    </section>
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a payout costs and brings; or, in its place, why none can be asked for now. */
function AskForPayout({ ctx, money, isFirst, onAsked }: GetPaidProps) {
  const { available, account, obstacle } = money;
  const { costCents } = ctx.config.payouts;
  const [isAsking, setAsking] = useState(false);
  const hydrated = useHydrated();
  const arrives = formatSum(available - costCents);

  return (
    <section aria-labelledby="get-paid" className="card px-6 py-6 shadow-card sm:px-8">
      <h2 className="text-xl" id="get-paid">
        {say('Get paid')}
      </h2>
      {obstacle ? (
        <p className="mt-2 max-w-prose">{tell(obstacle)}</p>
      ) : (
        <>
          <p className="mt-2 max-w-prose text-lg wrap-anywhere">
            {sayWith('{sum} will arrive at {account}.', {
              sum: <strong className="font-semibold tabular-nums">{arrives}</strong>,
              account: account.bankAccount ?? say('your bank account'),
            })}
            {costCents > 0 && ` ${say('The payout costs {sum}.', { sum: formatSum(costCents) })}`}
          </p>
          <button
            className="button button-primary mt-5"
            disabled={!hydrated}
            onClick={() => setAsking(true)}
            type="button"
          >
            {say('Get paid')}
          </button>
        </>
      )}
      <BankAccount config={ctx.config} name={account.bankAccount} />
      <noscript>
        <p className="mt-3">
          {say('Requesting a payout requires JavaScript, which is turned off in this browser.')}
        </p>
      </noscript>
      {isAsking && (
        <PayoutDialog
          config={ctx.config}
          isFirst={isFirst}
          money={money}
          onAsked={onAsked}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

const openDashboard = graphql('mutation OpenPayoutDashboard { openPayoutDashboard }');

/** Where payouts go; it is changed at the provider. */
function BankAccount({ config, name }: { config: RuntimeConfig; name: string | null }) {
  const [isLeaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const hydrated = useHydrated();

  async function leave() {
    setLeaving(true);
    setFailure(undefined);
    try {
      const { openPayoutDashboard } = await needSession(requestGraphql(config, openDashboard, {}));
      location.assign(openPayoutDashboard);
    } catch (error) {
      setFailure(error);
      setLeaving(false);
    }
  }

  return (
    <div className="mt-5 border-t border-line pt-3">
      <p className="flex flex-wrap items-center gap-x-4 text-muted">
        <span className="wrap-anywhere">
          {sayWith('Payouts go to {account}.', {
            account: <span className="text-ink">{name ?? say('your bank account')}</span>,
          })}
        </span>
        <button
          aria-busy={isLeaving}
          className="text-link min-h-11 text-ink"
          disabled={!hydrated || isLeaving}
          onClick={leave}
          type="button"
        >
          {isLeaving
            ? say('Opening...')
            : say('Change it at {provider}', { provider: nameProvider(config) })}
        </button>
      </p>
      <ChangeFailure error={failure} />
    </div>
  );
}
