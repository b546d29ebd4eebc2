import { useEffect, useState } from 'react';
import type { SignInProvider } from '../../../contract/runtime-config.ts';
import { startProviderSignIn } from '../../data/accounts.ts';
import { messageOf } from '../../data/request-error.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { Alert } from '../alert.tsx';

interface ProviderButtonsProps {
  providers: SignInProvider[];
  /** Where to go after signing in. */
  next: string;
  /** They are the only way in. */
  alone: boolean;
}

/** Signs in by accounts that people have elsewhere. */
export function ProviderButtons({ providers, next, alone }: ProviderButtonsProps) {
  const hydrated = useHydrated();
  const [opening, setOpening] = useState<SignInProvider['id'] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    // Back from the provider, a browser shows the page as it was left: busy.
    const becomeIdle = (event: PageTransitionEvent) => event.persisted && setOpening(null);
    addEventListener('pageshow', becomeIdle);
    return () => removeEventListener('pageshow', becomeIdle);
  }, []);

  async function open(id: SignInProvider['id']) {
    setOpening(id);
    setFailure(null);
    try {
      location.assign(await startProviderSignIn(id, next));
    } catch (error) {
      setFailure(messageOf(error));
      setOpening(null);
    }
  }

  return (
    <div className="space-y-3">
      {!alone && (
        <p className="my-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </p>
      )}
      {providers.map(({ id, label }) => (
        <button
          aria-busy={opening === id}
          className={`button w-full ${alone ? 'button-primary' : 'button-secondary'}`}
          disabled={!hydrated || opening !== null}
          key={id}
          onClick={() => open(id)}
          type="button"
        >
          {opening === id ? 'Opening...' : nameButton({ id, label })}
        </button>
      ))}
      {failure && <Alert>{failure}</Alert>}
    </div>
  );
}

/** An operator names their pool; the others bring whole labels. */
function nameButton({ id, label }: SignInProvider): string {
  return id === 'oidc' ? `Sign in with ${label}` : label;
}
