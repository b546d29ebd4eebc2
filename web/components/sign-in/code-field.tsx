import { Field } from '../field.tsx';

/** The six digits from the mail. */
export function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      autoComplete="one-time-code"
      autoFocus
      error={error}
      inputMode="numeric"
      label="Code"
      maxLength={16}
      name="code"
      required
    />
  );
}
