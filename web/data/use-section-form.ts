import { placeAccountError } from './place-account-error.ts';
import { isSignedOut, leadToSignIn } from './sign-in-again.ts';
import { type FormOptions, useForm } from './use-form.ts';

/** A form of the account page: leads back to sign-in where the session has ended meanwhile. */
export function useSectionForm({ check, send }: Pick<FormOptions, 'check' | 'send'>) {
  return useForm({
    check,
    async send(values) {
      try {
        await send(values);
      } catch (error) {
        if (isSignedOut(error)) leadToSignIn();
        throw error;
      }
    },
    place: placeAccountError,
  });
}
