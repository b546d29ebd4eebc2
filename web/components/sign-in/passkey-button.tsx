import { useState } from 'react';
import { signInWithPasskey } from '../../data/passkeys.ts';
import { messageOf } from '../../data/request-error.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { usePasskeys } from '../../data/use-passkeys.ts';
import { Alert } from '../alert.tsx';
import { PasskeyIcon } from '../icons.tsx';

/** Signing in without a password, where browser and address can. */
export function PasskeyButton({ origin, onSignedIn }: { origin: string; onSignedIn(): void }) {
  const offered = usePasskeys(origin);
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (!offered) return null;

  async function signIn() {
    setBusy(true);
    setFailure(null);
    try {
      await signInWithPasskey();
      onSignedIn();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="mt-3 space-y-3">
      <button
        aria-busy={busy}
        className="button button-secondary w-full"
        disabled={!hydrated || busy}
        onClick={signIn}
        type="button"
      >
        <PasskeyIcon className="size-5" />
        Sign in with a passkey
      </button>
      {failure && <Alert>{failure}</Alert>}
    </div>
  );
}
