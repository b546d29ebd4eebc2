import { type ReactNode, useState } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from '../data/graphql.ts';
import { messageOf } from '../data/request-error.ts';
import { requestGraphql } from '../data/request-graphql.ts';
import { useHydrated } from '../data/use-hydrated.ts';
import { Alert } from './alert.tsx';
import { MessagePage } from './message-page.tsx';
import { SupportLine } from './support-line.tsx';

const resendReceipt = graphql(
  `mutation ResendReceipt($sessionId: ID!) { resendReceipt(sessionId: $sessionId) }`,
);

type State = { at: 'idle' } | { at: 'sending' } | { at: 'sent' } | { at: 'failed'; why: string };

interface NoPurchaseHereProps {
  config: RuntimeConfig;
  sessionId: string;
  children: ReactNode;
}

/**
 * A checkout that this browser did not make, or that nobody made: an address alone never unlocks.
 * The words are the same for both, so that they tell a stranger nothing.
 */
export function NoPurchaseHere({ config, sessionId, children }: NoPurchaseHereProps) {
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
    <MessagePage figure="lock-closed" title="No purchase found here">
      <p>
        This browser holds no purchase under this address. If you paid in another browser or app,
        your personal link was sent by e-mail to the address you gave at the checkout.
      </p>
      {state.at === 'sent' ? (
        <p className="text-base font-medium text-ink" role="status">
          If there is a purchase, its link is on its way. Please look into your inbox.
        </p>
      ) : (
        <button
          className="button button-primary text-base"
          disabled={!hydrated || state.at === 'sending'}
          onClick={resend}
          type="button"
        >
          {state.at === 'sending' ? 'Sending...' : 'Send the link again'}
        </button>
      )}
      <noscript>
        <p className="text-base">
          Sending it again needs JavaScript, which is turned off in this browser.
        </p>
      </noscript>
      {state.at === 'failed' && <Alert>{state.why}</Alert>}
      <SupportLine email={config.supportEmail} />
      {children}
    </MessagePage>
  );
}
