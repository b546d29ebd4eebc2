import { placeAccountError } from './place-account-error.ts';
import { needSession } from './sign-in-again.ts';
import { type FormOptions, useForm } from './use-form.ts';

/** A form of the account page: leads back to sign-in where the session has ended meanwhile. */
export function useSectionForm({ check, send }: Pick<FormOptions, 'check' | 'send'>) {
  return useForm({
    check,
    send: (values) => needSession(send(values)),
    place: placeAccountError,
  });
}
