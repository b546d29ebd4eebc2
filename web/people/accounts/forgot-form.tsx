import { SIGN_IN_CHECKS } from '../../../contract/sign-in.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { placeAccountError, resetPassword, sendResetCode, signIn } from '../../lib/accounts.ts';
import { useForm } from '../../lib/use-form.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Field } from '../../ui/field.tsx';
import { NewPasswordFields } from '../../ui/password-fields.tsx';
import { AccountForm, MailboxLink, ResendCode, type StepProps } from './account-form.tsx';
import { resendOf } from './sign-up-form.tsx';

interface ForgotFormProps extends Omit<StepProps, 'onSignedIn'> {
  onSent(email: string): void;
}

export function ForgotForm({ action, step, onSent }: ForgotFormProps) {
  const form = useForm({
    posted: step.errors,
    check: SIGN_IN_CHECKS.forgot,
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
      <AccountForm
        action={action}
        busyLabel={say('Sending...')}
        form={form}
        submitLabel={say('Send code')}
      >
        <Field
          autoComplete="username"
          autoFocus
          defaultValue={step.email}
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

interface ResetFormProps extends StepProps {
  /** Mail is kept on this server's own page. */
  mailbox: boolean;
  /** The new password is kept, and the account has a second factor. */
  onSecondFactor(): void;
}

export function ResetForm({ action, step, mailbox, onSignedIn, onSecondFactor }: ResetFormProps) {
  const { email } = step;
  const form = useForm({
    posted: step.errors,
    check: SIGN_IN_CHECKS.reset,
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
      <AccountForm
        action={action}
        busyLabel={say('Saving...')}
        form={form}
        submitLabel={say('Save new password')}
      >
        <input autoComplete="username" name="email" type="hidden" value={email} />
        <CodeField error={form.errors.code} />
        <NewPasswordFields errors={form.errors} />
      </AccountForm>
      <ResendCode posted={resendOf(step)} send={() => sendResetCode(email)} />
    </>
  );
}
