import type { Said } from './fact.ts';

/** What is wrong by field; '' is the form as a whole. */
export type FormErrors = Record<string, Said>;

/** The errors found, in the order of the fields. */
export function collectErrors(found: Record<string, Said | false | undefined>): FormErrors {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, Said] => Boolean(entry[1])),
  );
}
