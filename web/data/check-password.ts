import { PASSWORD_MIN_LENGTH } from '../../contract/limits.ts';

/** The specified password policy, in the order it is shown. */
export const PASSWORD_RULES: { label: string; holds(password: string): boolean }[] = [
  {
    label: `At least ${PASSWORD_MIN_LENGTH} characters`,
    holds: (password) => password.length >= PASSWORD_MIN_LENGTH,
  },
  { label: 'A lowercase letter', holds: (password) => /\p{Ll}/u.test(password) },
  { label: 'An uppercase letter', holds: (password) => /\p{Lu}/u.test(password) },
  { label: 'A number', holds: (password) => /\p{Nd}/u.test(password) },
  { label: 'A symbol', holds: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
];

/** What is wrong with a new password and its repetition, by field. */
export function checkNewPassword(password = '', confirmation = '') {
  const missing = PASSWORD_RULES.some((rule) => !rule.holds(password));
  return {
    password: missing && 'The password does not meet every rule yet.',
    confirmation: password !== confirmation && 'The two passwords are not the same.',
  };
}
