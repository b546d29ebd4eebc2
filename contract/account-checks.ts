import { type Fact, fact } from './fact.ts';
import { checkPassword } from './password-policy.ts';

/** The digits of a typed or pasted code, whatever stands between them. */
export function digitsOf(code: string | undefined): string {
  return code?.replace(/\D/g, '') ?? '';
}

/** What is wrong with a typed code from an email. */
export function checkCode(code: string | undefined): Fact | undefined {
  return digitsOf(code).length === 6 ? undefined : fact('Enter the six-digit code from the email.');
}

/** What is wrong with a typed code from an authenticator app. */
export function checkAppCode(code: string | undefined): Fact | undefined {
  return digitsOf(code).length === 6 ? undefined : fact('Enter the six-digit code from your app.');
}

/** What is wrong with a typed email address; the emailed code proves the rest. */
export function checkEmail(email: string | undefined): Fact | undefined {
  if (!email?.trim()) return fact('Enter your email address.');
  if (!/^\S+@\S+\.\S+$/.test(email.trim()))
    return fact('Enter a full email address, like name@example.com.');
  return undefined;
}

/** What is wrong with a new password and its repetition, by field. */
export function checkNewPassword(password = '', confirmation = '') {
  return {
    password: checkPassword(password),
    confirmation: password !== confirmation && fact('The passwords do not match.'),
  };
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

/** The field that a refusal by the account routes is about, by its code; undefined if none. */
export function fieldOfRefusal(code: string): string | undefined {
  return FIELDS.find(([codes]) => codes.test(code))?.[1];
}
