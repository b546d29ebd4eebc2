import { type SyntheticEvent, useEffect, useState } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { TEXTS } from '../../contract/texts.ts';
import { contentAddress } from '../data/addresses.ts';
import { findUnlockAddress, isUnlocked, UnlockRefusal } from '../data/find-unlock-address.ts';
import { openContent, useOpening } from '../data/open-content.ts';
import { messageOf } from '../data/request-error.ts';
import { ContentButton } from './content-button.tsx';
import { UnlockFailure } from './unlock-failure.tsx';

interface UnlockFormProps {
  id: string;
  config: RuntimeConfig;
  state: 'locked' | 'unlocked';
  /** What unlocked content is. */
  type: string | undefined;
  /** What the server has to say on this page. */
  error: Failure | undefined;
}

export interface Failure {
  message: string;
  hint?: string | undefined;
}

const BUSY_LABEL = 'Unlocking...';

/**
 * 'Unlock Now', a plain form that leads to the checkout; 'Download' or 'Open', an address that leads
 * to the content. JavaScript adds the words.
 */
export function UnlockForm({ id, config, state, type, error }: UnlockFormProps) {
  const [pressed, setPressed] = useState(false);
  const busy = useOpening() === contentAddress(id) || pressed;
  const [failure, setFailure] = useState(error);

  useEffect(() => {
    // Back from the checkout, a browser shows the page as it was left: busy and locked.
    const comeBack = async ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      setPressed(false);
      if (state === 'locked' && (await isUnlocked(id, config))) location.reload();
    };
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, [id, config, state]);

  async function unlock(event: SyntheticEvent) {
    event.preventDefault();
    if (busy) return;
    setPressed(true);
    setFailure(undefined);
    try {
      const address = await findUnlockAddress(id, config);
      if (address !== contentAddress(id)) return location.assign(address);
      openContent(address);
      setPressed(false);
    } catch (thrown) {
      setFailure(describe(thrown));
      setPressed(false);
    }
  }

  const label = busy ? BUSY_LABEL : labelOf(state, type);
  const trouble = failure && (
    <div className="mt-4">
      <UnlockFailure {...failure} />
    </div>
  );

  if (state === 'unlocked') {
    return (
      <div>
        <ContentButton busy={busy} href={contentAddress(id)} onPress={unlock}>
          {label}
        </ContentButton>
        {trouble}
      </div>
    );
  }
  return (
    // Where no endpoint is configured, our own answers with that.
    <form
      action={`${config.checkoutApiEndpoint || '/prod/'}checkout`}
      method="post"
      onSubmit={unlock}
    >
      <input name="paywallId" type="hidden" value={id} />
      <button
        aria-busy={busy}
        className="button button-primary w-full text-lg"
        data-busy-label={BUSY_LABEL}
        disabled={busy}
        type="submit"
      >
        {label}
      </button>
      {trouble}
    </form>
  );
}

function labelOf(state: UnlockFormProps['state'], type: string | undefined): string {
  if (state === 'locked') return 'Unlock Now';
  return type === 'link' ? 'Open' : 'Download';
}

function describe(thrown: unknown): Failure {
  if (thrown instanceof UnlockRefusal) return { message: thrown.message };
  console.error(thrown);
  const { cause } = thrown as { cause?: unknown };
  return { message: TEXTS.unlockFailed, hint: messageOf(cause ?? thrown) };
}
