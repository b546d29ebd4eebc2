import { useState } from 'react';
import { PASSWORD_MAX_LENGTH } from '../../../contract/limits.ts';
import type { FormErrors } from '../../data/use-form.ts';
import { PasswordField } from '../password-field.tsx';
import { PasswordRules } from '../password-rules.tsx';

interface NewPasswordFieldsProps {
  errors: FormErrors;
  /** Of the first field, where another password stands beside it. */
  label?: string;
}

/** A new password with its rules, and once more to be sure. */
export function NewPasswordFields({ errors, label = 'Password' }: NewPasswordFieldsProps) {
  const [password, setPassword] = useState('');
  return (
    <>
      <PasswordField
        autoComplete="new-password"
        error={errors.password}
        hint={<PasswordRules password={password} />}
        label={label}
        maxLength={PASSWORD_MAX_LENGTH}
        name="password"
        onInput={(event) => setPassword(event.currentTarget.value)}
        required
      />
      <PasswordField
        autoComplete="new-password"
        error={errors.confirmation}
        label="Confirm Password"
        maxLength={PASSWORD_MAX_LENGTH}
        name="confirmation"
        required
      />
    </>
  );
}
