import { useState } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from '../data/graphql.ts';
import { messageOf } from '../data/request-error.ts';
import { requestGraphql } from '../data/request-graphql.ts';
import { useHydrated } from '../data/use-hydrated.ts';
import { Alert } from './alert.tsx';

const resendReceipt = graphql(
  `mutation ResendReceipt($sessionId: ID!) { resendReceipt(sessionId: $sessionId) }`,
);

type State = { at: 'idle' } | { at: 'sending' } | { at: 'sent' } | { at: 'failed'; why: string };

/** A settled purchase seen by another browser: an address alone never unlocks. */
export function PurchaseElsewhere(props: { config: RuntimeConfig; sessionId: string }) {
  const { config, sessionId } = props;
  const [state, setState] = useState<State>({ at: 'idle' });
  const hydrated = useHydrated();

  async function resend() {
    setState({ at: 'sending' });
    try {
      await requestGraphql(config, resendReceipt, { sessionId });
      setState({ at: 'sent' });
    } catch (error) {
      setState({ at: 'failed', why: messageOf(error) });
    }
  }

  return (
    <section className="card flex w-full flex-col items-center gap-4 p-6 text-base">
      <p>
        This browser did not make the purchase. The personal link to it was sent by e-mail to the
        address given at the checkout.
      </p>
      {state.at === 'sent' ? (
        <p className="font-medium text-ink" role="status">
          Sent. Please look into your inbox.
        </p>
      ) : (
        <button
          className="button button-secondary"
          disabled={!hydrated || state.at === 'sending'}
          onClick={resend}
          type="button"
        >
          {state.at === 'sending' ? 'Sending...' : 'Send it again'}
        </button>
      )}
      {state.at === 'failed' && <Alert>{state.why}</Alert>}
    </section>
  );
}
