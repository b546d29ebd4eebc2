import { PASSWORD_MAX_LENGTH } from '../../../contract/limits.ts';

/** The library's refusals in the words of the product. */
const MESSAGES: Record<string, string> = {
  EMAIL_NOT_VERIFIED: 'Confirm your e-mail address first, with the code that we have sent you.',
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side. Please try again.',
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_OTP: 'This code is wrong or has been replaced by a newer one.',
  INVALID_PASSWORD: 'The current password is wrong.',
  OTP_EXPIRED: 'This code has expired. Ask for a new one.',
  PASSWORD_TOO_LONG: `The password may have at most ${PASSWORD_MAX_LENGTH} characters.`,
  SESSION_NOT_FRESH: 'Sign in again first.',
  TOO_MANY_ATTEMPTS: 'Too many wrong codes. Ask for a new one.',
  UNAUTHORIZED: 'Sign in first.',
};

/** What to tell a person; undefined when the library's own words will do. */
export function messageFor(code: string): string | undefined {
  return MESSAGES[code];
}
