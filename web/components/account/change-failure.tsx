import { messageOf } from '../../data/request-error.ts';
import { isSignInStale, signInAgain } from '../../data/sign-in-again.ts';
import { Alert } from '../alert.tsx';

/** Why a change of what opens the account failed, and the way on where there is one. */
export function ChangeFailure({ error }: { error: unknown }) {
  if (!error) return null;
  const isStale = isSignInStale(error);
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
