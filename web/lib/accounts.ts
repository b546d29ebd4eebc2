import { digitsOf, fieldOfRefusal } from '../../contract/account-checks.ts';
import type { SessionDetails } from '../../contract/account-details.ts';
import type { FormErrors } from '../../contract/form-errors.ts';
import { getJson, messageOf, postJson, RequestError } from './request-error.ts';

const post = <Answer = void>(route: string, body: object) =>
  postJson<Answer>(`/api/auth/${route}`, body);

/** Creates an account; the server emails a six-digit code. Throws RequestError. */
export const signUp = (account: { firstName: string; email: string; password: string }) =>
  post('sign-up/email', { ...account, name: account.firstName });

/**
 * Returns whether a second factor follows. Throws RequestError, with code EMAIL_NOT_VERIFIED if a
 * new code was emailed instead.
 */
export async function signIn(
  email: string,
  password: string,
): Promise<'signed-in' | 'second-factor'> {
  const answer = await post<{ twoFactorRedirect?: boolean }>('sign-in/email', { email, password });
  return answer.twoFactorRedirect ? 'second-factor' : 'signed-in';
}

/** Confirms the address, and signs the visitor in. */
export const verifyEmail = (email: string, code: string) =>
  post('email-otp/verify-email', { email, otp: digitsOf(code) });

export const sendVerificationCode = (email: string) =>
  post('email-otp/send-verification-otp', { email, type: 'email-verification' });

export const sendResetCode = (email: string) => post('email-otp/request-password-reset', { email });

export const resetPassword = (email: string, code: string, password: string) =>
  post('email-otp/reset-password', { email, otp: digitsOf(code), password });

/**
 * The address of the sign-in service's own page, which leads back to `next`. Throws RequestError.
 */
export async function startProviderSignIn(provider: string, next: string): Promise<string> {
  const { url } = await post<{ url: string }>('sign-in/social', { provider, callbackURL: next });
  return url;
}

export const saveFirstName = (firstName: string) => post('update-user', { firstName });

/** Emails a code to the new address, if it is available. Throws RequestError. */
export const requestEmailChange = (newEmail: string, password: string) =>
  post('email-otp/request-email-change', { newEmail, password });

export const confirmEmailChange = (newEmail: string, code: string) =>
  post('email-otp/change-email', { newEmail, otp: digitsOf(code) });

export const changePassword = (
  currentPassword: string,
  newPassword: string,
  revokeOtherSessions: boolean,
) => post('change-password', { currentPassword, newPassword, revokeOtherSessions });

export const listSessions = () => getJson<SessionDetails[]>('/api/auth/list-sessions');

export const endSession = (id: string) => post('revoke-session', { id });

export const endOtherSessions = () => post('revoke-other-sessions', {});

/** Deletes the account and ends every session. Throws RequestError, also while money is owed. */
export const deleteAccount = (confirmation: string, password?: string) =>
  post('delete-user', { confirmation, password });

/** The field that an error of the account routes is about; undefined if none. */
export function placeAccountError(error: unknown): FormErrors | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const field = fieldOfRefusal(error.code);
  return field ? { [field]: messageOf(error) } : undefined;
}
