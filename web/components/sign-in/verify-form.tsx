import { sendVerificationCode, verifyEmail } from '../../data/accounts.ts';
import { checkCode } from '../../data/check-code.ts';
import { placeAccountError } from '../../data/place-account-error.ts';
import { collectErrors, useForm } from '../../data/use-form.ts';
import { AccountForm } from './account-form.tsx';
import { CodeField } from './code-field.tsx';
import { MailboxLink } from './mailbox-link.tsx';
import { ResendCode } from './resend-code.tsx';

interface VerifyFormProps {
  email: string;
  /** Mail is kept on this server's own page. */
  mailbox: boolean;
  onSignedIn(): void;
}

export function VerifyForm({ email, mailbox, onSignedIn }: VerifyFormProps) {
  const form = useForm({
    check: ({ code }) => collectErrors({ code: checkCode(code) }),
    async send({ code = '' }) {
      await verifyEmail(email, code);
      onSignedIn();
    },
    place: placeAccountError,
  });
  return (
    <>
      <p className="mb-5 text-muted">
        We sent a six-digit code to <strong className="text-ink">{email}</strong>. Enter it to
        confirm your address.
      </p>
      {mailbox && <MailboxLink />}
      <AccountForm busyLabel="Checking..." form={form} submitLabel="Confirm">
        <CodeField error={form.errors.code} />
      </AccountForm>
      <ResendCode send={() => sendVerificationCode(email)} />
      <p className="text-center text-sm">
        <a className="text-link inline-flex min-h-11 items-center" href="/login?mode=sign-up">
          Sign up again
        </a>
      </p>
    </>
  );
}
