import { useEffect, useEffectEvent, useState } from 'react';

export interface SignInStep {
  at:
    | 'sign-in'
    | 'second-factor'
    | 'sign-up'
    | 'provider'
    | 'first-name'
    | 'forgot'
    | 'done'
    | 'verify'
    | 'reset';
  /** As it was typed; empty before. */
  email: string;
  /** A new password was saved on the way here. */
  passwordSaved?: boolean;
}

/**
 * The step of the login page that is shown. It lies in the browser's history, so that a reload, or
 * a tab that a phone dropped while the mail was read, comes back to it, and Back leaves it.
 */
export function useSignInStep(
  first: SignInStep['at'],
  isKept: boolean,
  /** What the browser knows better than the server. */
  firstHere: () => SignInStep['at'] = () => first,
) {
  const [step, setStep] = useState<SignInStep>({ at: first, email: '' });
  const findFirst = useEffectEvent(firstHere);

  useEffect(() => {
    if (isKept) setStep(readStep() ?? { at: findFirst(), email: '' });
  }, [isKept]);

  useEffect(() => {
    const follow = () => {
      const kept = readStep();
      if (kept) setStep(kept);
      // An entry for a place in the page, as the link to the content makes.
      else writeStep(step);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [step]);

  /** Goes on to a step that Back leads away from; the one that is left keeps the address. */
  function advance(next: SignInStep) {
    writeStep({ ...step, email: next.email });
    history.pushState({ signInStep: next }, '');
    setStep(next);
  }

  /** Goes to a step in the place of this one. */
  function replace(next: SignInStep, address?: string) {
    writeStep(next, address);
    setStep(next);
  }

  /** The last step: nothing of the way here is kept in its place. */
  function finish() {
    history.replaceState(null, '');
    setStep({ at: 'done', email: '' });
  }

  return { step, advance, replace, finish };
}

function readStep(): SignInStep | undefined {
  return history.state?.signInStep;
}

function writeStep(step: SignInStep, address?: string) {
  history.replaceState({ signInStep: step }, '', address);
}
