import { say } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';
import {
  checkCode,
  checkEmail,
  placeAccountError,
  resetPassword,
  sendResetCode,
  signIn,
} from '../lib/accounts.ts';
import { collectErrors, useForm } from '../lib/use-form.ts';
import { CodeField } from '../ui/code-field.tsx';
import { Field } from '../ui/field.tsx';
import { checkNewPassword, NewPasswordFields } from '../ui/password-fields.tsx';
import { AccountForm, MailboxLink, ResendCode } from './account-form.tsx';

interface ForgotFormProps {
  /** To begin with. */
  email: string;
  onSent(email: string): void;
}

export function ForgotForm({ email, onSent }: ForgotFormProps) {
  const form = useForm({
    check: ({ email }) => collectErrors({ email: checkEmail(email) }),
    async send({ email = '' }) {
      await sendResetCode(email);
      onSent(email);
    },
  });
  return (
    <>
      <p className="mb-5 text-muted">
        {say('Enter your email address, and we will send you a code to choose a new password.')}
      </p>
      <AccountForm busyLabel={say('Sending...')} form={form} submitLabel={say('Send code')}>
        <Field
          autoComplete="username"
          autoFocus
          defaultValue={email}
          error={form.errors.email}
          label={say('Email')}
          name="email"
          required
          type="email"
        />
      </AccountForm>
    </>
  );
}

interface ResetFormProps {
  email: string;
  /** Mail is kept on this server's own page. */
  mailbox: boolean;
  onSignedIn(): void;
  /** The new password is kept, and the account has a second factor. */
  onSecondFactor(): void;
}

export function ResetForm({ email, mailbox, onSignedIn, onSecondFactor }: ResetFormProps) {
  const form = useForm({
    check: ({ code, password, confirmation }) =>
      collectErrors({ code: checkCode(code), ...checkNewPassword(password, confirmation) }),
    async send({ code = '', password = '' }) {
      await resetPassword(email, code, password);
      const next = await signIn(email, password);
      if (next === 'second-factor') onSecondFactor();
      else onSignedIn();
    },
    place: placeAccountError,
  });
  return (
    <>
      <p className="mb-5 text-muted">
        {sayWith(
          'If {email} has an account, a six-digit code is on its way to it. A new password signs you out everywhere and revokes your secret keys.',
          { email: <strong className="text-ink">{email}</strong> },
        )}
      </p>
      {mailbox && <MailboxLink />}
      <AccountForm busyLabel={say('Saving...')} form={form} submitLabel={say('Save new password')}>
        <input autoComplete="username" name="email" type="hidden" value={email} />
        <CodeField error={form.errors.code} />
        <NewPasswordFields errors={form.errors} />
      </AccountForm>
      <ResendCode send={() => sendResetCode(email)} />
    </>
  );
}
