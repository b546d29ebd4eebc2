import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../contract/limits.ts';
import { describeMissing } from '../../../contract/password-policy.ts';

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

/** How many digits and symbols around a common password make it no better: "Summer-2026". */
const TRIMMINGS = 6;

/** What stands for a letter in passwords that are meant to look hard. */
const DISGUISES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '!': 'i',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/**
 * The first reason to refuse a new password, or null.
 * @param common the passwords that are guessed first, in lower case.
 */
export function findPasswordFault(
  password: string,
  owner: PasswordOwner,
  common: ReadonlySet<string>,
): PasswordFault | null {
  if (password.length > PASSWORD_MAX_LENGTH) {
    const message = `The password may have at most ${PASSWORD_MAX_LENGTH} characters.`;
    return { code: 'PASSWORD_TOO_LONG', message };
  }
  const missing = describeMissing(password);
  if (missing) {
    const tooShort = password.length < PASSWORD_MIN_LENGTH;
    return { code: tooShort ? 'PASSWORD_TOO_SHORT' : 'PASSWORD_TOO_WEAK', message: missing };
  }
  if (isCommon(password.toLowerCase(), common)) {
    const message = 'This password is too common. Choose another one.';
    return { code: 'PASSWORD_TOO_COMMON', message };
  }
  if (isPersonal(password, owner)) {
    const message = 'The password may not be made of your name or e-mail address.';
    return { code: 'PASSWORD_TOO_PERSONAL', message };
  }
  return null;
}

/** True for a common password, disguised or not, with a few digits and symbols around it. */
function isCommon(lower: string, common: ReadonlySet<string>): boolean {
  const cores = [
    lower,
    lower.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
    lower.replace(/\P{L}+$/u, ''),
    coreOf(lower),
  ];
  return cores
    .filter((core) => core !== '' && lower.length - core.length <= TRIMMINGS)
    .some((core) => common.has(core) || common.has(undisguise(core)));
}

function undisguise(text: string): string {
  return text.replace(/[@4310!$57]/g, (sign) => DISGUISES[sign] ?? sign);
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
