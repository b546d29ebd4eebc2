import { useState } from 'react';
import { messageOf } from '../../data/request-error.ts';
import { Alert } from '../alert.tsx';

type State = { at: 'idle' | 'sending' | 'sent' } | { at: 'failed'; why: string };

/** For a code that did not arrive. */
export function ResendCode({ send }: { send(): Promise<unknown> }) {
  const [state, setState] = useState<State>({ at: 'idle' });

  async function resend() {
    setState({ at: 'sending' });
    try {
      await send();
      setState({ at: 'sent' });
    } catch (error) {
      setState({ at: 'failed', why: messageOf(error) });
    }
  }

  return (
    <div className="mt-4 text-center text-sm">
      <button
        className="text-link min-h-11"
        disabled={state.at === 'sending'}
        onClick={resend}
        type="button"
      >
        Send a new code
      </button>
      <p className="text-muted" role="status">
        {state.at === 'sent' && 'A new code is on its way.'}
      </p>
      {state.at === 'failed' && <Alert>{state.why}</Alert>}
    </div>
  );
}
