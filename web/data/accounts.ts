import type { SessionDetails } from '../../contract/account-details.ts';
import { digitsOf } from './check-code.ts';
import { getJson, postJson } from './post-json.ts';

const post = <Answer = unknown>(route: string, body: object) =>
  postJson<Answer>(`/api/auth/${route}`, body);

/** Creates an account; the server mails a six-digit code. Throws RequestError. */
export async function signUp(account: { firstName: string; email: string; password: string }) {
  await post('sign-up/email', { ...account, name: account.firstName });
}

/**
 * Tells whether a second step follows. Throws RequestError; its code is EMAIL_NOT_VERIFIED when a
 * new code has been mailed instead.
 */
export async function signIn(
  email: string,
  password: string,
): Promise<'signed-in' | 'second-factor'> {
  const answer = await post<{ twoFactorRedirect?: boolean }>('sign-in/email', { email, password });
  return answer.twoFactorRedirect ? 'second-factor' : 'signed-in';
}

/** Confirms the address, and signs the visitor in. */
export async function verifyEmail(email: string, code: string) {
  await post('email-otp/verify-email', { email, otp: digitsOf(code) });
}

export async function sendVerificationCode(email: string) {
  await post('email-otp/send-verification-otp', { email, type: 'email-verification' });
}

export async function sendResetCode(email: string) {
  await post('email-otp/request-password-reset', { email });
}

export async function resetPassword(email: string, code: string, password: string) {
  await post('email-otp/reset-password', { email, otp: digitsOf(code), password });
}

/** The address of the provider's own sign-in page, which leads back to `next`. Throws RequestError. */
export async function startProviderSignIn(provider: string, next: string): Promise<string> {
  const { url } = await post<{ url: string }>('sign-in/social', { provider, callbackURL: next });
  return url;
}

export async function saveFirstName(firstName: string) {
  await post('update-user', { firstName });
}

/** Mails a code to the new address, if it is free. Throws RequestError. */
export async function requestEmailChange(newEmail: string, password: string) {
  await post('email-otp/request-email-change', { newEmail, password });
}

export async function confirmEmailChange(newEmail: string, code: string) {
  await post('email-otp/change-email', { newEmail, otp: digitsOf(code) });
}

export async function changePassword(
  currentPassword: string,
  newPassword: string,
  revokeOtherSessions: boolean,
) {
  await post('change-password', { currentPassword, newPassword, revokeOtherSessions });
}

export function listSessions(): Promise<SessionDetails[]> {
  return getJson('/api/auth/list-sessions');
}

export async function endSession(id: string) {
  await post('revoke-session', { id });
}

export async function endOtherSessions() {
  await post('revoke-other-sessions', {});
}

/** Deletes the account and ends every session. Throws RequestError, while money is owed as well. */
export async function deleteAccount(confirmation: string, password?: string) {
  await post('delete-user', { confirmation, password });
}
