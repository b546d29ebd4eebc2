import type { SessionDetails } from '../../contract/account-details.ts';
import { say } from '../languages/say.ts';
import { getJson, messageOf, postJson, RequestError } from './request-error.ts';
import type { FormErrors } from './use-form.ts';

const post = <Answer = unknown>(route: string, body: object) =>
  postJson<Answer>(`/api/auth/${route}`, body);

/** Creates an account; the server emails a six-digit code. Throws RequestError. */
export async function signUp(account: { firstName: string; email: string; password: string }) {
  await post('sign-up/email', { ...account, name: account.firstName });
}

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

/**
 * The address of the sign-in service's own page, which leads back to `next`. Throws RequestError.
 */
export async function startProviderSignIn(provider: string, next: string): Promise<string> {
  const { url } = await post<{ url: string }>('sign-in/social', { provider, callbackURL: next });
  return url;
}

export async function saveFirstName(firstName: string) {
  await post('update-user', { firstName });
}

/** Emails a code to the new address, if it is available. Throws RequestError. */
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

/** Deletes the account and ends every session. Throws RequestError, also while money is owed. */
export async function deleteAccount(confirmation: string, password?: string) {
  await post('delete-user', { confirmation, password });
}

/** The digits of a typed or pasted code, whatever stands between them. */
export function digitsOf(code: string | undefined): string {
  return code?.replace(/\D/g, '') ?? '';
}

/** What is wrong with a typed code from an email. */
export function checkCode(code: string | undefined): string | undefined {
  return digitsOf(code).length === 6 ? undefined : say('Enter the six-digit code from the email.');
}

/** What is wrong with a typed code from an authenticator app. */
export function checkAppCode(code: string | undefined): string | undefined {
  return digitsOf(code).length === 6 ? undefined : say('Enter the six-digit code from your app.');
}

/** What is wrong with a typed email address; the emailed code proves the rest. */
export function checkEmail(email: string | undefined): string | undefined {
  if (!email?.trim()) return say('Enter your email address.');
  if (!/^\S+@\S+\.\S+$/.test(email.trim()))
    return say('Enter a full email address, like name@example.com.');
  return undefined;
}

const FIELDS: [codes: RegExp, field: string][] = [
  [/^(INVALID_OTP|INVALID_CODE|INVALID_BACKUP_CODE)$/, 'code'],
  [/^PASSWORD_/, 'password'],
  [/^INVALID_PASSWORD$/, 'currentPassword'],
  [/^NOT_CONFIRMED$/, 'confirmation'],
  [/^VALIDATION_ERROR$/, 'firstName'],
  [/^INVALID_SELLER_NAME$/, 'sellerName'],
  [/HANDLE/, 'handle'],
  [/^INVALID_ABOUT$/, 'about'],
  [/^INVALID_SELLER_LINK$/, 'links'],
  [/EMAIL$/, 'email'],
];

/** The field that an error of the account routes is about; undefined if none. */
export function placeAccountError(error: unknown): FormErrors | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const field = FIELDS.find(([codes]) => codes.test(error.code))?.[1];
  return field ? { [field]: messageOf(error) } : undefined;
}
