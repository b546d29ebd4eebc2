import { useEffect, useEffectEvent, useState } from 'react';
import { type Sentence, say } from '../languages/say.ts';
import { safeNextPath } from '../lib/addresses.ts';
import { hadViewer } from '../lib/last-viewer.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';
import { Alert } from '../ui/alert.tsx';
import { Lock, Spinner } from '../ui/spinner.tsx';
import { ForgotForm, ResetForm } from './forgot-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { PasskeyButton, ProviderButtons, SignInForm, SignInTabs } from './sign-in-form.tsx';
import { FirstNameForm, SignUpForm, VerifyForm } from './sign-up-form.tsx';

export const page = definePage({
  hydrate: 'now',
  head: (_, ctx) => ({
    title: `${say('Login')} · Padlink`,
    description: say('Sign in to Padlink, or create an account to sell your files.'),
    canonical: `${ctx.config.origin}/login`,
  }),
  Component: Login,
});

const TITLES: Record<SignInStep['at'], Sentence> = {
  'sign-in': 'Sign in',
  'second-factor': 'Enter your code',
  'sign-up': 'Create your account',
  provider: 'Sign in',
  'first-name': 'What is your name?',
  forgot: 'Forgot your password?',
  done: 'Welcome',
  verify: 'Check your email',
  reset: 'Choose a new password',
};

/** Steps that offer sign-in services. */
const WITH_PROVIDERS: SignInStep['at'][] = ['sign-in', 'sign-up', 'provider'];

/** What is said where not everybody may create an account. */
const DOORS = {
  invite: 'Ask the operator for an invitation to create an account.',
  closed: 'No new accounts can be created on this site.',
} as const satisfies Record<string, Sentence>;

function Login({ ctx }: PageProps<unknown>) {
  const { mailbox, signIn } = ctx.config;
  const { providers } = signIn;
  const { step, advance, replace, finish } = useSignInStep(
    firstStep(ctx),
    !ctx.viewer && signIn.passwords,
    () => (beginsToSell(ctx.query) && hadViewer() ? 'sign-in' : firstStep(ctx)),
    ctx.askedFor,
  );
  const door = ctx.askedFor === undefined ? ctx.config.signUp : undefined;
  const offersProviders = providers.length > 0 && WITH_PROVIDERS.includes(step.at);

  function enter() {
    finish();
    location.assign(safeNextPath(ctx.query.next));
  }

  return (
    <div className="mx-auto w-full max-w-md px-5 py-12 sm:py-16">
      <Lock className="mx-auto size-14" open={step.at === 'done'} />
      <h1 className="mt-4 mb-8 text-center text-3xl">{say(TITLES[step.at])}</h1>
      {offersProviders && ctx.query.error && (
        <div className="mb-6">
          <Alert>{describeSignInError(ctx.query.error)}</Alert>
        </div>
      )}
      {!door && (step.at === 'sign-in' || step.at === 'sign-up') && (
        <SignInTabs
          next={ctx.query.next}
          onChoose={(at, address) => replace({ at, email: findTyped() || step.email }, address)}
          shown={step.at}
        />
      )}
      {step.at === 'done' ? (
        <Spinner text={say('Loading dashboard...')} />
      ) : (
        <div className="card p-6 shadow-card sm:p-8">
          {renderStep()}
          {offersProviders && (
            <ProviderButtons
              alone={step.at === 'provider'}
              next={safeNextPath(ctx.query.next)}
              providers={providers}
            />
          )}
        </div>
      )}
      {door && WITH_PROVIDERS.includes(step.at) && (
        <p className="mt-6 text-center text-muted">{say(DOORS[door])}</p>
      )}
      <noscript>
        <p className="mt-6 text-center text-muted">
          {say(
            'Signing in requires JavaScript, which is turned off in this browser. Buying works without it.',
          )}
        </p>
      </noscript>
    </div>
  );

  function renderStep() {
    const { email } = step;
    switch (step.at) {
      case 'sign-up':
        return (
          <SignUpForm
            email={email}
            onSignedUp={(typed) => advance({ at: 'verify', email: typed })}
          />
        );
      case 'provider':
        return null;
      case 'first-name':
        return <FirstNameForm onSaved={enter} />;
      case 'verify':
        return <VerifyForm email={email} mailbox={mailbox} onSignedIn={enter} />;
      case 'forgot':
        return (
          <ForgotForm email={email} onSent={(typed) => advance({ at: 'reset', email: typed })} />
        );
      case 'reset':
        return (
          <ResetForm
            email={email}
            mailbox={mailbox}
            onSecondFactor={() => replace({ at: 'second-factor', email, passwordSaved: true })}
            onSignedIn={enter}
          />
        );
      case 'second-factor':
        return (
          <SecondFactorForm
            onCanceled={() => replace({ at: 'sign-in', email })}
            onSignedIn={enter}
            passwordSaved={step.passwordSaved ?? false}
          />
        );
      default:
        return (
          <>
            <SignInForm
              email={email}
              onForgotten={(typed) => advance({ at: 'forgot', email: typed })}
              onSecondFactor={(typed) => advance({ at: 'second-factor', email: typed })}
              onSignedIn={enter}
              onUnverified={(typed) => advance({ at: 'verify', email: typed })}
            />
            <PasskeyButton onSignedIn={enter} origin={ctx.config.origin} />
          </>
        );
    }
  }
}

/** The address in the form that is left: the other one begins with it. */
function findTyped(): string {
  return document.querySelector<HTMLInputElement>('input[name="email"]')?.value ?? '';
}

function firstStep({ viewer, query, config, askedFor }: PageContext) {
  // Signed in already, by a provider that knew no first name.
  if (viewer) return 'first-name';
  if (!config.signIn.passwords) return 'provider';
  if (askedFor !== undefined) return query.mode === 'sign-in' ? 'sign-in' : 'sign-up';
  if (config.signUp) return 'sign-in';
  return query.mode === 'sign-up' || beginsToSell(query) ? 'sign-up' : 'sign-in';
}

/** 'Start earning' on the landing page leads here: most who press it have no account yet. */
function beginsToSell({ mode, from, error }: PageContext['query']) {
  return !mode && !error && from === 'landing';
}

const MESSAGES: Record<string, Sentence> = {
  account_suspended:
    'The operator of this site has suspended this account. The reason is in the email that was sent to its address.',
  invitation_required:
    'Accounts here are by invitation. Ask the operator of this site to invite this address.',
  sign_up_closed: 'No new accounts can be created on this site.',
  access_denied: 'The sign-in was canceled. You can try again at any time.',
  email_not_found: 'That account does not share an email address, so it cannot be used here.',
  email_not_verified:
    'The email address of that account is not confirmed. Confirm it there, then sign in again.',
  invalid_code: 'The sign-in service did not give a valid response. Please try again.',
  state_mismatch: 'That sign-in took too long or was started in another browser. Please try again.',
  too_many_sign_ins:
    'There were too many sign-ins from your network. Wait a minute and try again; if that does not help, try tomorrow.',
  two_factor_on:
    'Two-factor sign-in protects the account with this address. Sign in with your password or a passkey.',
  unable_to_get_user_info:
    'The response of the sign-in service could not be trusted. Please try again.',
};

const SAME_MEANING: Record<string, string> = {
  account_not_linked: 'email_not_verified',
  consent_required: 'access_denied',
  interaction_required: 'access_denied',
  login_required: 'access_denied',
  state_invalid: 'state_mismatch',
  state_not_found: 'state_mismatch',
};

/**
 * What went wrong on the way to a sign-in service and back, by the code in the address. Only our
 * own words are shown, because anyone can write a link to the login page.
 */
function describeSignInError(code: string): string {
  return say(MESSAGES[SAME_MEANING[code] ?? code] ?? 'Sign-in failed. Please try again.');
}

interface SignInStep {
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
 * The current step of the login page. It is kept in the browser's history, so that a reload, or a
 * tab that a phone discarded while the email was read, returns to it, and Back leaves it.
 */
function useSignInStep(
  first: SignInStep['at'],
  isKept: boolean,
  /** What the browser knows better than the server. */
  firstHere: () => SignInStep['at'] = () => first,
  firstEmail = '',
) {
  const [step, setStep] = useState<SignInStep>({ at: first, email: firstEmail });
  const findFirst = useEffectEvent(firstHere);

  useEffect(() => {
    if (isKept) setStep(readStep() ?? { at: findFirst(), email: firstEmail });
  }, [isKept, firstEmail]);

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

  /** The last step: nothing of the previous steps is kept in its place. */
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
