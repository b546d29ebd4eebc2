import { useState } from 'react';
import type { SecretKeyDetails } from '../../../../contract/account-details.ts';
import { formatDay } from '../../../data/format.ts';
import { messageOf } from '../../../data/request-error.ts';
import { needSession } from '../../../data/sign-in-again.ts';
import { useHydrated } from '../../../data/use-hydrated.ts';
import { useQuestion } from '../../../data/use-question.ts';
import { Alert } from '../../alert.tsx';
import { Confirmation } from '../confirmation.tsx';

interface SecretKeyRowProps {
  secretKey: SecretKeyDetails;
  onBegun(): void;
  onRevoke(): Promise<void>;
}

export function SecretKeyRow({ secretKey, onBegun, onRevoke }: SecretKeyRowProps) {
  const { name, hint, createdAt, lastUsedAt } = secretKey;
  const { isAsking, button, ask, close } = useQuestion();
  const [error, setError] = useState('');
  const hydrated = useHydrated();

  function begin() {
    onBegun();
    setError('');
    ask();
  }

  async function revoke() {
    try {
      await needSession(onRevoke());
    } catch (cause) {
      setError(messageOf(cause));
      close();
    }
  }

  return (
    <li className="space-y-4 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <p className="font-medium break-words">{name}</p>
          <p className="mt-0.5 text-sm text-muted">
            <code>…{hint}</code> · Created <time dateTime={createdAt}>{formatDay(createdAt)}</time>{' '}
            · {lastUsedAt ? <LastUse time={lastUsedAt} /> : 'Never used'}
          </p>
        </div>
        {!isAsking && (
          <button
            className="button button-secondary button-small"
            disabled={!hydrated}
            onClick={begin}
            ref={button}
            type="button"
          >
            Revoke<span className="sr-only"> {name}</span>
          </button>
        )}
      </div>
      {isAsking && (
        <Confirmation
          busyLabel="Revoking..."
          label="Revoke key"
          onConfirmed={revoke}
          onKept={close}
        >
          Revoke <strong className="break-words">{name}</strong>? Programs that use it stop working
          at once. This cannot be undone.
        </Confirmation>
      )}
      {error && <Alert>{error}</Alert>}
    </li>
  );
}

function LastUse({ time }: { time: string }) {
  return (
    <>
      Last used <time dateTime={time}>{formatDay(time)}</time>
    </>
  );
}
