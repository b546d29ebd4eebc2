import { resetPassword, sendResetCode, signIn } from '../../data/accounts.ts';
import { checkCode } from '../../data/check-code.ts';
import { checkNewPassword } from '../../data/check-password.ts';
import { placeAccountError } from '../../data/place-account-error.ts';
import { collectErrors, useForm } from '../../data/use-form.ts';
import { AccountForm } from './account-form.tsx';
import { CodeField } from './code-field.tsx';
import { MailboxLink } from './mailbox-link.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { ResendCode } from './resend-code.tsx';

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
        If <strong className="text-ink">{email}</strong> has an account, a six-digit code is on its
        way to it. A new password signs you out everywhere and revokes your secret keys.
      </p>
      {mailbox && <MailboxLink />}
      <AccountForm busyLabel="Saving..." form={form} submitLabel="Save new password">
        <input autoComplete="username" name="email" type="hidden" value={email} />
        <CodeField error={form.errors.code} />
        <NewPasswordFields errors={form.errors} />
      </AccountForm>
      <ResendCode send={() => sendResetCode(email)} />
    </>
  );
}
