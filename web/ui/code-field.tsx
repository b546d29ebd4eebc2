import type { Said } from '../../contract/fact.ts';
import { collectErrors } from '../../contract/form-errors.ts';
import { say } from '../languages/say.ts';
import { placeAccountError } from '../lib/accounts.ts';
import { useForm } from '../lib/use-form.ts';
import { Field } from './field.tsx';

interface CodeFieldProps {
  error: Said | undefined;
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
      label={say('Code')}
      maxLength={16}
      name="code"
      required
    />
  );
}

interface CodeFormOptions {
  /** What is wrong with the code as it was typed. */
  check(code: string | undefined): Said | undefined;
  enter(code: string): Promise<void>;
  onEntered(): void;
}

/** A form of one field, `code`. */
export function useCodeForm({ check, enter, onEntered }: CodeFormOptions) {
  return useForm({
    check: ({ code }) => collectErrors({ code: check(code) }),
    async send({ code = '' }) {
      await enter(code);
      onEntered();
    },
    place: placeAccountError,
  });
}
