import { z } from 'zod';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';

/** What the account library takes for no address: it knows the letters a to z alone there. */
const OTHER_LETTERS = /^[^\s@]*[^\0-\x7f][^\s@]*@[-.a-z0-9]+$|@[-.a-z0-9]+\.xn--[-a-z0-9]+$/;
const NOT_TAKEN =
  'Accounts cannot have an email address with letters other than a to z before the @ or after the last dot.';

/**
 * The address of an account as it was typed, which becomes its canonical form.
 * @param fault what to say of any other text
 * @param none what to say of what is no text
 */
export const accountAddress = (fault: string, none = fault) =>
  z
    .string(none)
    .trim()
    .max(254, fault)
    .transform(canonicalAddress)
    .pipe(z.email({ error: ({ input }) => (OTHER_LETTERS.test(`${input}`) ? NOT_TAKEN : fault) }));
