import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { formatDay } from '../../lib/format.ts';
import { graphql } from '../../lib/graphql.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import type { PageContext } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { type BookedPayout, formatSum, type MoneyData, type Payout } from './money-query.ts';

interface PayoutListProps {
  ctx: PageContext;
  /** Null when they could not be loaded. */
  payouts: MoneyData['listPayouts'];
  /** By the operator; null as well. */
  booked: BookedPayout[] | null;
  onCanceled(what: string): Promise<void>;
}

/** Each payout, and what became of it. */
export function PayoutList({ ctx, payouts, booked, onCanceled }: PayoutListProps) {
  const failed = !(payouts && booked);
  const sent = payouts?.items ?? [];
  const byHand = booked ?? [];
  return (
    <section aria-labelledby="payouts">
      <h2 className="mb-4 text-2xl" id="payouts">
        {say('Payouts')}
      </h2>
      {failed && <ListFailed address={ctx.path} what={say('Your payouts')} />}
      {!failed && sent.length + byHand.length === 0 && (
        <p className="text-muted">{say('No payouts yet.')}</p>
      )}
      {sent.length > 0 && (
        <ul className="card divide-y divide-line">
          {sent.map((payout) => (
            <PayoutRow
              config={ctx.config}
              key={payout.id}
              onCanceled={onCanceled}
              payout={payout}
            />
          ))}
        </ul>
      )}
      <OtherPages
        address={ctx.path}
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older payouts')}
        nextToken={payouts?.nextToken ?? null}
      />
      {byHand.length > 0 && (
        <>
          {sent.length > 0 && <h3 className="mt-6 mb-3 text-lg">{say('Paid manually')}</h3>}
          <ul className="card divide-y divide-line">
            {byHand.map((payout) => (
              <BookedRow key={payout.id} payout={payout} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function BookedRow({ payout: { amount, reference, bookedAt } }: { payout: BookedPayout }) {
  return (
    <li className="px-5 py-4">
      <RowHead
        amount={amount}
        badge={say(amount < 0 ? 'Back in your balance' : 'Paid')}
        time={bookedAt}
      />
      <p className="text-sm text-muted wrap-anywhere">
        {say('Reference: {reference}', { reference })}
      </p>
    </li>
  );
}

/** Unknown ones are shown as they are called. */
const STATES: Record<string, Sentence | undefined> = {
  requested: 'Requested',
  sent: 'On its way',
  paid: 'Paid',
  failed: 'Failed',
  reversed: 'Back in your balance',
};

interface PayoutRowProps {
  config: RuntimeConfig;
  payout: Payout;
  onCanceled(what: string): Promise<void>;
}

function PayoutRow({ config, payout, onCanceled }: PayoutRowProps) {
  const { amount, cost, arrives, state, note, bankAccount, requestedAt, changedAt } = payout;
  const badge = STATES[state];
  return (
    <li className="px-5 py-4">
      <RowHead amount={arrives} badge={badge ? say(badge) : state} time={requestedAt} />
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere">
          <p className="text-muted">
            {state === 'paid' && `${say('Paid on {day}.', { day: formatDay(changedAt) })} `}
            {bankAccount && `${say('To {account}.', { account: bankAccount })} `}
            {cost > 0 &&
              say('{sum} less the cost of {cost}.', {
                sum: formatSum(amount),
                cost: formatSum(cost),
              })}
          </p>
          {note && <p className="mt-1">{tell(note)}</p>}
        </div>
        {state === 'requested' && (
          <CancelPayout config={config} onCanceled={onCanceled} payout={payout} />
        )}
      </div>
    </li>
  );
}

/** When it began, how it stands, and what it brings. */
function RowHead({ time, badge, amount }: { time: string; badge: string; amount: number }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        <time dateTime={time}>{formatDay(time)}</time>
        <span className="badge">{badge}</span>
      </p>
      <p className="ms-auto text-lg font-semibold tabular-nums">{formatSum(amount)}</p>
    </div>
  );
}

const cancelPayout = graphql('mutation CancelPayout($id: ID!) { cancelPayout(id: $id) }');

function CancelPayout({ config, payout, onCanceled }: PayoutRowProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const hydrated = useHydrated();
  const of = { sum: formatSum(payout.arrives), day: formatDay(payout.requestedAt) };

  async function cancel() {
    setBusy(true);
    setFailure('');
    try {
      await needSession(requestGraphql(config, cancelPayout, { id: payout.id }));
      await onCanceled(
        say('The payout of {sum} from {day} was canceled. The money is back in your balance.', of),
      );
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <>
      <button
        aria-busy={busy}
        aria-label={say('Cancel the payout of {sum} from {day}', of)}
        className="button button-secondary button-small"
        disabled={!hydrated || busy}
        onClick={cancel}
        type="button"
      >
        {say(busy ? 'Canceling...' : 'Cancel')}
      </button>
      {failure && <Alert>{failure}</Alert>}
    </>
  );
}
