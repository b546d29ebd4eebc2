import { PASSWORD_MAX_LENGTH } from '../../../contract/limits.ts';

/** The library's refusals in the words of the product. */
const MESSAGES: Record<string, string> = {
  ADDRESS_NOT_CONFIRMED: 'Confirm your e-mail address first: sign in with your password.',
  ADDRESS_OF_PROVIDER: 'You sign in by a provider, which keeps your address: change it there.',
  AUTHENTICATION_FAILED: 'The passkey could not be checked. Please try again.',
  CHALLENGE_NOT_FOUND: 'This took too long. Please try again.',
  EMAIL_NOT_VERIFIED: 'Confirm your e-mail address first, with the code that we have sent you.',
  FAILED_TO_VERIFY_REGISTRATION: 'The passkey could not be checked. Please try again.',
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side. Please try again.',
  INVALID_BACKUP_CODE: 'This backup code is wrong or has been used.',
  INVALID_CODE: 'This code is wrong or has been used. Enter the newest one of your app.',
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_OTP: 'This code is wrong, too old, or replaced by a newer one.',
  INVALID_PASSWORD: 'The current password is wrong.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in took too long. Sign in again.',
  NOT_CONFIRMED: 'Type the e-mail address of your account to confirm.',
  PASSKEY_NOT_FOUND: 'This passkey is not known here. It may have been removed.',
  PASSWORD_TOO_LONG: `The password may have at most ${PASSWORD_MAX_LENGTH} characters.`,
  PREVIOUSLY_REGISTERED: 'This passkey has been added already.',
  PROVIDER_NOT_FOUND: 'There is no such way to sign in here.',
  SAME_EMAIL: 'This is your e-mail address already.',
  SESSION_NOT_FRESH: 'Sign in again first.',
  SIGN_UP_REPLACED: 'Someone signed up with this address after you. Sign up again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Sign in again.',
  TOTP_ALREADY_ENABLED: 'Two-factor sign-in is on already.',
  TOTP_NOT_ENABLED: 'Two-factor sign-in is not set up yet.',
  UNAUTHORIZED: 'Sign in first.',
  USER_NOT_VERIFIED:
    'Your device did not ask for your fingerprint, face or PIN, which is needed here.',
};

/** What to tell a person; undefined when the library's own words will do. */
export function messageFor(code: string): string | undefined {
  return MESSAGES[code];
}
