import { type FormEvent, useEffect, useState } from 'react';
import type { SignInProvider } from '../../../contract/runtime-config.ts';
import { loginAddress, SIGN_IN_CHECKS } from '../../../contract/sign-in.ts';
import { say, tell } from '../../languages/say.ts';
import { signIn, startProviderSignIn } from '../../lib/accounts.ts';
import { signInWithPasskey, usePasskeys } from '../../lib/passkeys.ts';
import { messageOf, RequestError } from '../../lib/request-error.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { Alert } from '../../ui/alert.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon, type IconProps } from '../../ui/icons.tsx';
import { PasswordField } from '../../ui/password-fields.tsx';
import { AccountForm, PasswordSaved, type StepProps } from './account-form.tsx';

interface SignInFormProps extends StepProps {
  /** Where to go after signing in. */
  next: string | undefined;
  /** The password is right, and the account has a second factor. */
  onSecondFactor(email: string): void;
  /** The address is not confirmed yet; a new code has been mailed. */
  onUnverified(email: string): void;
  /** With the address as far as it is typed. */
  onForgotten(email: string): void;
}

export function SignInForm({
  action,
  step: { email: initial, errors, passwordSaved },
  next: target,
  onSignedIn,
  onSecondFactor,
  onUnverified,
  onForgotten,
}: SignInFormProps) {
  const form = useForm({
    posted: errors,
    check: SIGN_IN_CHECKS['sign-in'],
    async send({ email = '', password = '' }) {
      try {
        const next = await signIn(email, password);
        if (next === 'second-factor') onSecondFactor(email);
        else onSignedIn();
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'EMAIL_NOT_VERIFIED') throw error;
        onUnverified(email);
      }
    },
  });
  return (
    <AccountForm
      action={action}
      busyLabel={say('Signing in...')}
      form={form}
      submitLabel={say('Sign in')}
    >
      {passwordSaved && <PasswordSaved />}
      <Field
        autoComplete="username"
        defaultValue={initial}
        error={form.errors.email}
        label={say('Email')}
        name="email"
        required
        type="email"
      />
      <PasswordField
        autoComplete="current-password"
        error={form.errors.password}
        label={say('Password')}
        name="password"
        required
      />
      <p className="text-end">
        <a
          className="text-link inline-flex min-h-11 items-center text-sm"
          href={loginAddress('forgot', target)}
          onClick={(event) => {
            event.preventDefault();
            onForgotten(findTyped());
          }}
        >
          {say('Forgot your password?')}
        </a>
      </p>
    </AccountForm>
  );
}

/** The address as far as it is typed: the form that comes next begins with it. */
export function findTyped(): string {
  return document.querySelector<HTMLInputElement>('input[name="email"]')?.value ?? '';
}

const TABS = [
  { mode: 'sign-in', label: 'Sign in' },
  { mode: 'sign-up', label: 'Create account' },
] as const;

type Mode = (typeof TABS)[number]['mode'];

interface SignInTabsProps {
  shown: Mode;
  next: string | undefined;
  onChoose(mode: Mode, address: string): void;
}

/** Two addresses of the login page, changed without leaving it. */
export function SignInTabs({ shown, next, onChoose }: SignInTabsProps) {
  return (
    <nav aria-label={say('Account')} className="tabs">
      {TABS.map(({ mode, label }) => {
        const address = loginAddress(mode, next);
        return (
          <a
            aria-current={mode === shown ? 'true' : undefined}
            className="tab"
            href={address}
            key={mode}
            onClick={(event) => {
              event.preventDefault();
              onChoose(mode, address);
            }}
          >
            {say(label)}
          </a>
        );
      })}
    </nav>
  );
}

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
    <div className="mt-3 space-y-3 noscript:hidden">
      <button
        aria-busy={busy}
        className="button button-secondary w-full"
        disabled={!hydrated || busy}
        onClick={signIn}
        type="button"
      >
        <PasskeyIcon className="size-5" />
        {say('Sign in with a passkey')}
      </button>
      {failure && <Alert>{failure}</Alert>}
    </div>
  );
}

interface ProviderButtonsProps {
  action: string;
  providers: SignInProvider[];
  /** Where to go after signing in. */
  next: string;
  /** They are the only way in. */
  alone: boolean;
}

/** Signs in with accounts of other services. */
export function ProviderButtons({ action, providers, next, alone }: ProviderButtonsProps) {
  const [opening, setOpening] = useState<SignInProvider['id'] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    // Back from the provider, a browser shows the page as it was left: busy.
    const becomeIdle = (event: PageTransitionEvent) => event.persisted && setOpening(null);
    addEventListener('pageshow', becomeIdle);
    return () => removeEventListener('pageshow', becomeIdle);
  }, []);

  async function open(event: FormEvent, id: SignInProvider['id']) {
    event.preventDefault();
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
    <form action={action} className="space-y-3" method="post">
      {!alone && (
        <p className="my-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {say('or')}
        </p>
      )}
      {providers.map(({ id, label }) => (
        <button
          aria-busy={opening === id}
          className={`button w-full ${alone ? 'button-primary' : 'button-secondary'}`}
          data-busy-label={say('Opening...')}
          disabled={opening !== null}
          key={id}
          name="provider"
          onClick={(event) => open(event, id)}
          type="submit"
          value={id}
        >
          {opening === id ? say('Opening...') : nameButton({ id, label })}
        </button>
      ))}
      {failure && <Alert>{failure}</Alert>}
    </form>
  );
}

/** An operator names their pool; the others bring whole labels. */
function nameButton({ id, label }: SignInProvider): string {
  return id === 'oidc' ? say('Sign in with {service}', { service: label }) : tell(label);
}

function PasskeyIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M9.5 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5ZM3 20c.4-3.6 2.8-5.5 6.5-5.5 1.3 0 2.5.2 3.5.7M17.5 13.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm0 0V20l1.75-1.5-1.25-1.5" />
    </Icon>
  );
}
