import { signIn } from '../../data/accounts.ts';
import { checkEmail } from '../../data/check-email.ts';
import { RequestError } from '../../data/request-error.ts';
import { collectErrors, useForm } from '../../data/use-form.ts';
import { Field } from '../field.tsx';
import { PasswordField } from '../password-field.tsx';
import { AccountForm } from './account-form.tsx';

interface SignInFormProps {
  /** To begin with. */
  email: string;
  onSignedIn(): void;
  /** The password is right, and the account has a second factor. */
  onSecondFactor(email: string): void;
  /** The address is not confirmed yet; a new code has been mailed. */
  onUnverified(email: string): void;
  /** With the address as far as it is typed. */
  onForgotten(email: string): void;
}

export function SignInForm({
  email: initial,
  onSignedIn,
  onSecondFactor,
  onUnverified,
  onForgotten,
}: SignInFormProps) {
  const form = useForm({
    check: ({ email, password }) =>
      collectErrors({ email: checkEmail(email), password: !password && 'Enter your password.' }),
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
    <AccountForm busyLabel="Signing in..." form={form} submitLabel="Sign in">
      <Field
        autoComplete="username"
        defaultValue={initial}
        error={form.errors.email}
        label="Email"
        name="email"
        required
        type="email"
      />
      <PasswordField
        autoComplete="current-password"
        error={form.errors.password}
        label="Password"
        name="password"
        required
      />
      <p className="text-end">
        <button
          className="text-link min-h-11 text-sm"
          onClick={({ currentTarget: { form } }) =>
            onForgotten(form ? String(new FormData(form).get('email')) : '')
          }
          type="button"
        >
          Forgot your password?
        </button>
      </p>
    </AccountForm>
  );
}
