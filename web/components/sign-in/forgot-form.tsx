import { sendResetCode } from '../../data/accounts.ts';
import { checkEmail } from '../../data/check-email.ts';
import { collectErrors, useForm } from '../../data/use-form.ts';
import { Field } from '../field.tsx';
import { AccountForm } from './account-form.tsx';

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
        Enter your e-mail address, and we send you a code to choose a new password.
      </p>
      <AccountForm busyLabel="Sending..." form={form} submitLabel="Send code">
        <Field
          autoComplete="username"
          autoFocus
          defaultValue={email}
          error={form.errors.email}
          label="Email"
          name="email"
          required
          type="email"
        />
      </AccountForm>
    </>
  );
}
