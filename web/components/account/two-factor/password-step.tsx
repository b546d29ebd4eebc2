import { RequestError } from '../../../data/request-error.ts';
import { needSession } from '../../../data/sign-in-again.ts';
import { collectErrors, useForm } from '../../../data/use-form.ts';
import { PasswordField } from '../../password-field.tsx';
import { AccountForm } from '../../sign-in/account-form.tsx';
import { CancelButton } from './cancel-button.tsx';

interface PasswordStepProps {
  submitLabel: string;
  send(password: string): Promise<void>;
  onCancelled(): void;
}

/** Who changes how an account is entered proves to know the password. */
export function PasswordStep({ submitLabel, send, onCancelled }: PasswordStepProps) {
  const form = useForm({
    check: ({ password }) => collectErrors({ password: !password && 'Enter your password.' }),
    send: ({ password = '' }) => needSession(send(password)),
    place: (error) =>
      error instanceof RequestError && error.code === 'INVALID_PASSWORD'
        ? { password: error.message }
        : undefined,
  });
  return (
    <div className="max-w-sm">
      <AccountForm busyLabel="Checking..." form={form} submitLabel={submitLabel}>
        <PasswordField
          autoComplete="current-password"
          autoFocus
          error={form.errors.password}
          label="Current password"
          name="password"
          required
        />
      </AccountForm>
      <CancelButton onPressed={onCancelled} />
    </div>
  );
}
