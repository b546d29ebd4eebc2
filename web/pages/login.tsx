import { Alert } from '../components/alert.tsx';
import { Lock } from '../components/lock.tsx';
import { FirstNameForm } from '../components/sign-in/first-name-form.tsx';
import { ForgotForm } from '../components/sign-in/forgot-form.tsx';
import { PasskeyButton } from '../components/sign-in/passkey-button.tsx';
import { ProviderButtons } from '../components/sign-in/provider-buttons.tsx';
import { ResetForm } from '../components/sign-in/reset-form.tsx';
import { SecondFactorForm } from '../components/sign-in/second-factor-form.tsx';
import { SignInForm } from '../components/sign-in/sign-in-form.tsx';
import { SignInTabs } from '../components/sign-in/sign-in-tabs.tsx';
import { SignUpForm } from '../components/sign-in/sign-up-form.tsx';
import { VerifyForm } from '../components/sign-in/verify-form.tsx';
import { Spinner } from '../components/spinner.tsx';
import { safeNextPath } from '../data/addresses.ts';
import { describeSignInError } from '../data/describe-sign-in-error.ts';
import { hadViewer } from '../data/last-viewer.ts';
import { type SignInStep, useSignInStep } from '../data/use-sign-in-step.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'now',
  head: (_, ctx) => ({
    title: 'Login · Padlink',
    description: 'Sign in to Padlink, or create an account to sell your files.',
    canonical: `${ctx.config.origin}/login`,
  }),
  Component: Login,
});

const TITLES: Record<SignInStep['at'], string> = {
  'sign-in': 'Sign in',
  'second-factor': 'Enter your code',
  'sign-up': 'Create your account',
  provider: 'Sign in',
  'first-name': 'What is your name?',
  forgot: 'Forgot your password?',
  done: 'Welcome',
  verify: 'Check your mail',
  reset: 'Choose a new password',
};

/** Steps that offer the accounts people have elsewhere. */
const WITH_PROVIDERS: SignInStep['at'][] = ['sign-in', 'sign-up', 'provider'];

function Login({ ctx }: PageProps<unknown>) {
  const { mailbox, signIn } = ctx.config;
  const { providers } = signIn;
  const { step, advance, replace, finish } = useSignInStep(
    firstStep(ctx),
    !ctx.viewer && signIn.passwords,
    () => (beginsToSell(ctx.query) && hadViewer() ? 'sign-in' : firstStep(ctx)),
  );
  const offersProviders = providers.length > 0 && WITH_PROVIDERS.includes(step.at);

  function enter() {
    finish();
    location.assign(safeNextPath(ctx.query.next));
  }

  return (
    <div className="mx-auto w-full max-w-md px-5 py-12 sm:py-16">
      <Lock className="mx-auto size-14" open={step.at === 'done'} />
      <h1 className="mt-4 mb-8 text-center text-3xl">{TITLES[step.at]}</h1>
      {offersProviders && ctx.query.error && (
        <div className="mb-6">
          <Alert>{describeSignInError(ctx.query.error)}</Alert>
        </div>
      )}
      {(step.at === 'sign-in' || step.at === 'sign-up') && (
        <SignInTabs
          next={ctx.query.next}
          onChoose={(at, address) => replace({ ...step, at }, address)}
          shown={step.at}
        />
      )}
      {step.at === 'done' ? (
        <Spinner text="Loading dashboard..." />
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
      <noscript>
        <p className="mt-6 text-center text-muted">
          Signing in needs JavaScript, which is turned off in this browser. Buying works without it.
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
            onCancelled={() => replace({ at: 'sign-in', email })}
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

function firstStep({ viewer, query, config }: PageContext) {
  // Signed in already, by a provider that knew no first name.
  if (viewer) return 'first-name';
  if (!config.signIn.passwords) return 'provider';
  return query.mode === 'sign-up' || beginsToSell(query) ? 'sign-up' : 'sign-in';
}

/** 'Start earning' on the landing page leads here: most who press it have no account yet. */
function beginsToSell({ mode, from, error }: PageContext['query']) {
  return !mode && !error && from === 'landing';
}
