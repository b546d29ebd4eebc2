import { PASSWORD_MAX_LENGTH } from '../../../contract/limits.ts';
import { PasswordField } from '../password-field.tsx';

interface CurrentPasswordProps {
  /** Tells password managers whose password it is. */
  email: string;
  error: string | undefined;
}

/** Asked again for what costs the account, so that an open browser is not enough. */
export function CurrentPassword({ email, error }: CurrentPasswordProps) {
  return (
    <>
      <input autoComplete="username" name="username" type="hidden" value={email} />
      <PasswordField
        autoComplete="current-password"
        error={error}
        label="Current password"
        maxLength={PASSWORD_MAX_LENGTH}
        name="currentPassword"
        required
      />
    </>
  );
}
