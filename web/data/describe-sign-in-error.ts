const MESSAGES: Record<string, string> = {
  access_denied: 'The sign-in was cancelled. You can try again whenever you like.',
  email_not_found: 'That account tells no e-mail address, so it cannot be used here.',
  email_not_verified:
    'The e-mail address of that account is not confirmed. Confirm it there, then sign in again.',
  invalid_code: 'The sign-in service gave no valid answer. Please try again.',
  state_mismatch: 'That sign-in took too long, or began in another browser. Please try again.',
  too_many_sign_ins:
    'There were too many sign-ins from your network. Wait a minute and try again; if that does not help, try tomorrow.',
  two_factor_on:
    'Two-factor sign-in protects the account with this address. Sign in with your password or a passkey.',
  unable_to_get_user_info:
    'The answer of the sign-in service could not be trusted. Please try again.',
};

const SAME_MEANING: Record<string, string> = {
  account_not_linked: 'email_not_verified',
  consent_required: 'access_denied',
  interaction_required: 'access_denied',
  login_required: 'access_denied',
  state_invalid: 'state_mismatch',
  state_not_found: 'state_mismatch',
};

/**
 * What went wrong on the way to a provider and back, by the code in the address. Only our own
 * words are shown: whoever makes a link to the login page writes the rest of it.
 */
export function describeSignInError(code: string): string {
  return MESSAGES[SAME_MEANING[code] ?? code] ?? 'Signing in did not work. Please try again.';
}
