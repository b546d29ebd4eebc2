import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../contract/limits.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

export interface PasswordFault {
  code:
    | 'PASSWORD_TOO_SHORT'
    | 'PASSWORD_TOO_LONG'
    | 'PASSWORD_TOO_WEAK'
    | 'PASSWORD_TOO_COMMON'
    | 'PASSWORD_TOO_PERSONAL';
  message: string;
}

/** Whose password it is to be, as far as it is known. */
export interface PasswordOwner {
  email?: string;
  firstName?: string;
}

/** What every password contains (specification §5). */
const INGREDIENTS: [RegExp, string][] = [
  [/\p{Ll}/u, 'a lowercase letter'],
  [/\p{Lu}/u, 'an uppercase letter'],
  [/\p{Nd}/u, 'a number'],
  [/[^\p{L}\p{N}\s]/u, 'a symbol'],
];

/** The first reason to refuse a new password, or null. */
export function findPasswordFault(password: string, owner: PasswordOwner): PasswordFault | null {
  if (password.length > PASSWORD_MAX_LENGTH) {
    const message = `The password may have at most ${PASSWORD_MAX_LENGTH} characters.`;
    return { code: 'PASSWORD_TOO_LONG', message };
  }
  const tooShort = password.length < PASSWORD_MIN_LENGTH;
  const missing = INGREDIENTS.filter(([pattern]) => !pattern.test(password)).map(
    ([, name]) => name,
  );
  if (tooShort) missing.unshift(`at least ${PASSWORD_MIN_LENGTH} characters`);
  if (missing.length > 0) {
    const code = tooShort ? 'PASSWORD_TOO_SHORT' : 'PASSWORD_TOO_WEAK';
    const needs = new Intl.ListFormat('en', { type: 'conjunction' }).format(missing);
    return { code, message: `The password needs ${needs}.` };
  }
  if (COMMON_PASSWORDS.has(password.toLowerCase())) {
    const message = 'This password is one of the first that are guessed. Choose another one.';
    return { code: 'PASSWORD_TOO_COMMON', message };
  }
  if (isPersonal(password, owner)) {
    const message = 'The password may not be made of your name or e-mail address.';
    return { code: 'PASSWORD_TOO_PERSONAL', message };
  }
  return null;
}

/** True when only digits and symbols are wrapped around a name, or the whole address is inside. */
function isPersonal(password: string, { email, firstName }: PasswordOwner): boolean {
  const lower = password.toLowerCase();
  if (email && lower.includes(email.toLowerCase())) return true;
  const core = coreOf(lower);
  return [firstName, email?.split('@')[0]].some((name) => {
    const known = coreOf(name?.toLowerCase() ?? '');
    return known !== '' && known === core;
  });
}

function coreOf(text: string): string {
  return text.replace(/^\P{L}+|\P{L}+$/gu, '');
}
