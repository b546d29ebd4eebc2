import { Field } from '../field.tsx';

interface CodeFieldProps {
  error: string | undefined;
  autoFocus?: boolean;
}

/** The six digits from the mail, or from an app. */
export function CodeField({ error, autoFocus = true }: CodeFieldProps) {
  return (
    <Field
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      error={error}
      inputMode="numeric"
      label="Code"
      maxLength={16}
      name="code"
      required
    />
  );
}
