import { useState } from 'react';
import type { SecretKeyDetails } from '../../../../contract/account-details.ts';
import { formatDay } from '../../../data/format.ts';
import { messageOf } from '../../../data/request-error.ts';
import { isSignedOut, signInAddress } from '../../../data/sign-in-again.ts';
import { useHydrated } from '../../../data/use-hydrated.ts';
import { Alert } from '../../alert.tsx';
import { RevokeConfirmation } from './revoke-confirmation.tsx';

interface SecretKeyRowProps {
  secretKey: SecretKeyDetails;
  onRevoke(): Promise<void>;
}

export function SecretKeyRow({ secretKey, onRevoke }: SecretKeyRowProps) {
  const { name, hint, createdAt, lastUsedAt } = secretKey;
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState('');
  const hydrated = useHydrated();

  async function revoke() {
    setError('');
    try {
      await onRevoke();
    } catch (cause) {
      if (isSignedOut(cause)) location.assign(signInAddress());
      setError(messageOf(cause));
      setAsking(false);
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
        {!asking && (
          <button
            className="button button-secondary button-small"
            disabled={!hydrated}
            onClick={() => setAsking(true)}
            type="button"
          >
            Revoke<span className="sr-only"> {name}</span>
          </button>
        )}
      </div>
      {asking && (
        <RevokeConfirmation name={name} onKeep={() => setAsking(false)} onRevoke={revoke} />
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
