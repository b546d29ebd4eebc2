import { placeAccountError } from './place-account-error.ts';
import { collectErrors, useForm } from './use-form.ts';

interface CodeFormOptions {
  /** What is wrong with the code as it was typed. */
  check(code: string | undefined): string | undefined;
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
