import { say } from '../languages/say.ts';
import { messageOf } from '../lib/request-error.ts';
import { isSignInStale, signInAgain } from '../lib/sign-in-again.ts';
import { Alert } from './alert.tsx';

/** Why a change failed that outlasts the session, and what to do where that is known. */
export function ChangeFailure({ error }: { error: unknown }) {
  if (!error) return null;
  const isStale = isSignInStale(error);
  return (
    <div className="mt-3 space-y-3">
      <Alert>
        {isStale
          ? say('You signed in more than a day ago. Sign in again to continue.')
          : messageOf(error)}
      </Alert>
      {isStale && (
        <button
          className="button button-secondary button-small"
          onClick={signInAgain}
          type="button"
        >
          {say('Sign in again')}
        </button>
      )}
    </div>
  );
}
