import { messageOf, RequestError } from '../../../data/request-error.ts';
import { signInAgain } from '../../../data/sign-in-again.ts';
import { Alert } from '../../alert.tsx';

/** Why a change of passkeys failed, and the way on where there is one. */
export function PasskeyFailure({ error }: { error: unknown }) {
  if (!error) return null;
  const isStale = error instanceof RequestError && error.code === 'SESSION_NOT_FRESH';
  return (
    <div className="mt-3 space-y-3">
      <Alert>
        {isStale ? 'You signed in more than a day ago. Sign in again first.' : messageOf(error)}
      </Alert>
      {isStale && (
        <button
          className="button button-secondary button-small"
          onClick={signInAgain}
          type="button"
        >
          Sign in again
        </button>
      )}
    </div>
  );
}
