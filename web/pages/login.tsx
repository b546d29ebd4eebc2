import { useState } from 'react';
import { Lock } from '../components/lock.tsx';
import { ForgotForm } from '../components/sign-in/forgot-form.tsx';
import { ResetForm } from '../components/sign-in/reset-form.tsx';
import { SignInForm } from '../components/sign-in/sign-in-form.tsx';
import { SignInTabs } from '../components/sign-in/sign-in-tabs.tsx';
import { SignUpForm } from '../components/sign-in/sign-up-form.tsx';
import { VerifyForm } from '../components/sign-in/verify-form.tsx';
import { Spinner } from '../components/spinner.tsx';
import { safeNextPath } from '../data/addresses.ts';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'now',
  head: (_, ctx) => ({
    title: 'Login · Padlink',
    description: 'Sign in to Padlink, or create an account to sell your files.',
    canonical: `${ctx.config.origin}/login`,
  }),
  Component: Login,
});

type Step =
  | { at: 'sign-in' | 'sign-up' | 'forgot' | 'done' }
  | { at: 'verify'; email: string; password: string }
  | { at: 'reset'; email: string };

const TITLES: Record<Step['at'], string> = {
  'sign-in': 'Sign in',
  'sign-up': 'Create your account',
  forgot: 'Forgot your password?',
  done: 'Welcome',
  verify: 'Check your mail',
  reset: 'Choose a new password',
};

function Login({ ctx }: PageProps<unknown>) {
  const [step, setStep] = useState<Step>({
    at: ctx.query.mode === 'sign-up' ? 'sign-up' : 'sign-in',
  });

  function enter() {
    setStep({ at: 'done' });
    location.assign(safeNextPath(ctx.query.next));
  }

  return (
    <div className="mx-auto w-full max-w-md px-5 py-12 sm:py-16">
      <Lock className="mx-auto size-14" open={step.at === 'done'} />
      <h1 className="mt-4 mb-8 text-center text-3xl">{TITLES[step.at]}</h1>
      {(step.at === 'sign-in' || step.at === 'sign-up') && (
        <SignInTabs next={ctx.query.next} onChoose={(at) => setStep({ at })} shown={step.at} />
      )}
      {step.at === 'done' ? (
        <Spinner text="Loading dashboard..." />
      ) : (
        <div className="card p-6 shadow-card sm:p-8">{renderStep()}</div>
      )}
      <noscript>
        <p className="mt-6 text-center text-muted">
          Signing in needs JavaScript, which is turned off in this browser. Buying works without it.
        </p>
      </noscript>
    </div>
  );

  function renderStep() {
    switch (step.at) {
      case 'sign-up':
        return <SignUpForm onSignedUp={(who) => setStep({ at: 'verify', ...who })} />;
      case 'verify':
        return <VerifyForm email={step.email} onSignedIn={enter} password={step.password} />;
      case 'forgot':
        return <ForgotForm onSent={(email) => setStep({ at: 'reset', email })} />;
      case 'reset':
        return <ResetForm email={step.email} onSignedIn={enter} />;
      default:
        return (
          <SignInForm
            onForgotten={() => setStep({ at: 'forgot' })}
            onSignedIn={enter}
            onUnverified={(who) => setStep({ at: 'verify', ...who })}
          />
        );
    }
  }
}
