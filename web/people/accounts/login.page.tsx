import { useEffect, useEffectEvent, useState } from 'react';
import { loginAddress, type SignInStep, safeNextPath } from '../../../contract/sign-in.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { hadViewer } from '../../lib/last-viewer.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { Lock, Spinner } from '../../ui/spinner.tsx';
import { ForgotForm, ResetForm } from './forgot-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import {
  findTyped,
  PasskeyButton,
  ProviderButtons,
  SignInForm,
  SignInTabs,
} from './sign-in-form.tsx';
import { FirstNameForm, SignUpForm, VerifyForm } from './sign-up-form.tsx';

export const page = definePage({
  hydrate: 'now',
  head: (_: Partial<SignInStep>, ctx) => ({
    title: say('Login'),
    description: say('Sign in to {site}, or create an account to sell your files.', {
      site: ctx.config.siteName,
    }),
    canonical: `${ctx.config.origin}/login`,
  }),
  Component: Login,
});

const TITLES: Record<SignInStep['at'], Sentence> = {
  'sign-in': 'Sign in',
  'second-factor': 'Enter your code',
  'backup-code': 'Enter your code',
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

function Login({ data, ctx }: PageProps<Partial<SignInStep>>) {
  const { passwords, providers } = ctx.config.signIn;
  const { next, error } = ctx.query;
  const begun: SignInStep = {
    at: firstStep(ctx),
    email: ctx.askedFor ?? '',
    ...data,
  };
  const steps = useSignInStep(begun, !ctx.viewer && passwords, !data.at && beginsToSell(ctx.query));
  const { at, email } = steps.step;
  const door = ctx.askedFor === undefined ? ctx.config.signUp : undefined;
  const offersProviders = providers.length > 0 && WITH_PROVIDERS.includes(at);

  return (
    <div className="mx-auto w-full max-w-md px-5 py-12 sm:py-16">
      <Lock className="mx-auto size-14" open={at === 'done'} />
      <h1 className="mt-4 mb-8 text-center text-3xl">{say(TITLES[at])}</h1>
      {offersProviders && error && (
        <div className="mb-6">
          <Alert>{describeSignInError(error)}</Alert>
        </div>
      )}
      {!door && (at === 'sign-in' || at === 'sign-up') && (
        <SignInTabs
          next={next}
          onChoose={(mode, address) =>
            steps.replace({ at: mode, email: findTyped() || email }, address)
          }
          shown={at}
        />
      )}
      {at === 'done' ? (
        <Spinner text={say('Loading dashboard...')} />
      ) : (
        <div className="card p-6 shadow-card sm:p-8">
          <LoginStep ctx={ctx} {...steps} />
          {offersProviders && (
            <ProviderButtons
              action={loginAddress('provider', next)}
              alone={at === 'provider'}
              next={safeNextPath(next)}
              providers={providers}
            />
          )}
        </div>
      )}
      {door && WITH_PROVIDERS.includes(at) && (
        <p className="mt-6 text-center text-muted">{say(DOORS[door])}</p>
      )}
    </div>
  );
}

type LoginStepProps = ReturnType<typeof useSignInStep> & { ctx: PageContext };

/** The form of a step, and where it leads. */
function LoginStep({ ctx, step, advance, replace, finish }: LoginStepProps) {
  const { at, email } = step;
  const { next } = ctx.query;
  const { mailbox } = ctx.config;
  const form = {
    action: loginAddress(at, next),
    step,
    onSignedIn() {
      finish();
      location.assign(safeNextPath(next));
    },
  };
  const advanceTo = (to: SignInStep['at']) => (typed: string) => advance({ at: to, email: typed });
  switch (at) {
    case 'sign-up':
      return (
        <SignUpForm
          {...form}
          isInvited={ctx.askedFor !== undefined}
          onSignedUp={advanceTo('verify')}
        />
      );
    case 'provider':
      return null;
    case 'first-name':
      return <FirstNameForm {...form} />;
    case 'verify':
      return <VerifyForm {...form} mailbox={mailbox} next={next} />;
    case 'forgot':
      return <ForgotForm {...form} onSent={advanceTo('reset')} />;
    case 'reset':
      return (
        <ResetForm
          {...form}
          mailbox={mailbox}
          onSecondFactor={() => replace({ at: 'second-factor', email, passwordSaved: true })}
        />
      );
    case 'second-factor':
    case 'backup-code':
      return (
        <SecondFactorForm
          key={at}
          {...form}
          next={next}
          onLeft={(to) =>
            replace({ at: to, email, passwordSaved: to !== 'sign-in' && step.passwordSaved })
          }
          step={{ ...step, at }}
        />
      );
    default:
      return (
        <>
          <SignInForm
            {...form}
            next={next}
            onForgotten={advanceTo('forgot')}
            onSecondFactor={advanceTo('second-factor')}
            onUnverified={advanceTo('verify')}
          />
          <PasskeyButton onSignedIn={form.onSignedIn} origin={ctx.config.origin} />
        </>
      );
  }
}

function firstStep({ viewer, query, config, askedFor }: PageContext): SignInStep['at'] {
  // Signed in already, by a provider that knew no first name.
  if (viewer) return 'first-name';
  if (!config.signIn.passwords) return 'provider';
  if (query.mode === 'forgot') return 'forgot';
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

/**
 * The current step of the login page. It is kept in the browser's history, so that a reload, or a
 * tab that a phone discarded while the email was read, returns to it, and Back leaves it.
 */
function useSignInStep(
  begun: SignInStep,
  isKept: boolean,
  /** Who has an account in this browser is asked to sign in instead. */
  signsIn: boolean,
) {
  const [step, setStep] = useState(begun);
  const findFirst = useEffectEvent((): SignInStep => {
    const isOther = signsIn && begun.at === 'sign-up' && hadViewer();
    return isOther ? { at: 'sign-in', email: findTyped() || begun.email } : step;
  });

  useEffect(() => {
    if (isKept) setStep(readStep() ?? findFirst());
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
    writeStep({ at: step.at, email: next.email });
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
