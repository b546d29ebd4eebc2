import { useEffect, useId, useRef, useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { isSignInStale, needSession, signInAgain } from '../../lib/sign-in-again.ts';
import { Alert } from '../../ui/alert.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { formatSum, type Money, nameOperator } from './money-query.ts';

const requestPayout = graphql(`
  mutation RequestPayout($amount: Int!) {
    requestPayout(input: { amount: $amount }) { id arrives note }
  }
`);

interface PayoutDialogProps {
  config: RuntimeConfig;
  money: Money;
  isFirst: boolean;
  onAsked(what: string, payoutId: string): Promise<void>;
  onClose(): void;
}

/** A session that was left open is not enough to send money away. */
const SIGN_IN_FIRST =
  'For your security, a payout requires a sign-in within the last 10 minutes. You come back here afterward.';

/** Asks once more, with every cent. What is confirmed here is asked for, whatever is sold meanwhile. */
export function PayoutDialog({ config, money, isFirst, onAsked, onClose }: PayoutDialogProps) {
  const id = useId();
  const [{ available: amount, account }] = useState(money);
  const { costCents } = config.payouts;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const leave = useRef<HTMLButtonElement>(null);
  useEffect(() => leave.current?.focus(), []);
  const arrives = formatSum(amount - costCents);
  const isStale = isSignInStale(error);
  const action = say(isStale ? 'Sign in again' : 'Request this payout');

  async function ask(close: () => void) {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      const { requestPayout: asked } = await needSession(
        requestGraphql(config, requestPayout, { amount }),
      );
      close();
      await onAsked(say('You requested a payout of {sum}.', { sum: arrives }), asked.id);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  }

  return (
    <Dialog describedBy={`${id}-text`} labelledBy={`${id}-title`} onClose={onClose}>
      {(close) => (
        <>
          <h2 className="text-xl" id={`${id}-title`}>
            {say('Get paid {sum}?', { sum: arrives })}
          </h2>
          <div id={`${id}-text`}>
            <dl className="money-sum">
              <div>
                <dt>{say('From your balance')}</dt>
                <dd>{formatSum(amount)}</dd>
              </div>
              <div>
                <dt>{say('Cost of the payout')}</dt>
                <dd>{formatSum(-costCents)}</dd>
              </div>
              <div className="font-semibold">
                <dt>
                  {say('Arrives at {account}', {
                    account: account.bankAccount ?? say('your bank account'),
                  })}
                </dt>
                <dd>{arrives}</dd>
              </div>
            </dl>
            <p className="mt-4 text-muted">
              {isFirst &&
                `${say('Your first payout is sent once {operator} has approved it.', {
                  operator: nameOperator(config),
                })} `}
              {say('Banks usually take a few business days.')}
            </p>
          </div>
          {error !== undefined && (
            <div className="mt-4">
              <Alert>{isStale ? say(SIGN_IN_FIRST) : messageOf(error)}</Alert>
            </div>
          )}
          <div className="mt-6">
            <DialogButtons
              busy={busy}
              leaveRef={leave}
              leaveWords={say('Not now')}
              onDo={isStale ? signInAgain : () => ask(close)}
              onLeave={close}
              tone="primary"
              words={busy ? say('Requesting...') : action}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}
