import { type FormEvent, useEffect, useState } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { TEXTS } from '../../contract/texts.ts';
import { contentAddress } from '../data/addresses.ts';
import { findUnlockAddress, UnlockRefusal } from '../data/find-unlock-address.ts';
import { messageOf } from '../data/request-error.ts';
import { Alert } from './alert.tsx';

interface UnlockFormProps {
  id: string;
  config: RuntimeConfig;
  state: 'locked' | 'unlocked' | 'unknown';
  /** What the server has to say on this page. */
  error: Failure | undefined;
}

interface Failure {
  message: string;
  hint?: string | undefined;
}

const BUSY_LABEL = 'Unlocking...';

/** 'Unlock Now': a plain form that leads to the checkout or the content; JavaScript adds the words. */
export function UnlockForm({ id, config, state, error }: UnlockFormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(error);

  useEffect(() => {
    // Back from the checkout, a browser shows the page as it was left: busy.
    const becomeIdle = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    addEventListener('pageshow', becomeIdle);
    return () => removeEventListener('pageshow', becomeIdle);
  }, []);

  async function unlock(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      location.assign(await findUnlockAddress(id, config));
      if (state === 'unlocked') setBusy(false);
    } catch (thrown) {
      setFailure(describe(thrown));
      setBusy(false);
    }
  }

  return (
    <form {...destination(id, config, state)} onSubmit={unlock}>
      {state === 'locked' && <input name="paywallId" type="hidden" value={id} />}
      <button
        aria-busy={busy}
        className="button button-primary w-full text-lg"
        data-busy-label={state === 'locked' ? BUSY_LABEL : undefined}
        disabled={busy}
        type="submit"
      >
        {busy ? BUSY_LABEL : 'Unlock Now'}
      </button>
      {failure && (
        <div className="mt-4">
          <Alert>{failure.message}</Alert>
          {failure.hint && <p className="mt-2 text-sm text-muted">{failure.hint}</p>}
        </div>
      )}
    </form>
  );
}

function destination(id: string, config: RuntimeConfig, state: UnlockFormProps['state']) {
  if (state === 'unlocked') return { action: contentAddress(id), method: 'get' };
  if (state === 'locked') {
    // Where no endpoint is configured, our own answers with that.
    return { action: `${config.checkoutApiEndpoint || '/prod/'}checkout`, method: 'post' };
  }
  return { action: `/p/${encodeURIComponent(id)}`, method: 'get' };
}

function describe(thrown: unknown): Failure {
  if (thrown instanceof UnlockRefusal) return { message: thrown.message };
  console.error(thrown);
  const { cause } = thrown as { cause?: unknown };
  return { message: TEXTS.unlockFailed, hint: messageOf(cause ?? thrown) };
}
