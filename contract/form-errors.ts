/** Messages by field; '' is the form as a whole. */
export type FormErrors = Record<string, string>;

/** The errors found, in the order of the fields. */
export function collectErrors(found: Record<string, string | false | undefined>): FormErrors {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
