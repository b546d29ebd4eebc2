import { isLongerThan } from '../../../contract/characters.ts';
import { type Fact, fact } from '../../../contract/fact.ts';
import { PASSWORD_MAX_LENGTH } from '../../../contract/limits.ts';
import { checkPassword, isTooShort } from '../../../contract/password-policy.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';

export interface PasswordFault {
  code:
    | 'PASSWORD_TOO_SHORT'
    | 'PASSWORD_TOO_LONG'
    | 'PASSWORD_TOO_WEAK'
    | 'PASSWORD_TOO_COMMON'
    | 'PASSWORD_TOO_PERSONAL';
  said: Fact;
}

/** Whose password it will be, as far as known. */
export interface PasswordOwner {
  email?: string;
  firstName?: string;
}

/** What replaces letters in passwords that are meant to look strong. */
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
  if (isLongerThan(password, PASSWORD_MAX_LENGTH)) {
    const limit = PASSWORD_MAX_LENGTH;
    const said = fact('The password can have at most {limit} characters.', { limit });
    return { code: 'PASSWORD_TOO_LONG', said };
  }
  const missing = checkPassword(password);
  if (missing) {
    return {
      code: isTooShort(password) ? 'PASSWORD_TOO_SHORT' : 'PASSWORD_TOO_WEAK',
      said: missing,
    };
  }
  if (isCommon(password.toLowerCase(), common)) {
    const said = fact('This password is too common. Choose a different one.');
    return { code: 'PASSWORD_TOO_COMMON', said };
  }
  if (isPersonal(password, owner)) {
    const said = fact('The password cannot be your name or email address.');
    return { code: 'PASSWORD_TOO_PERSONAL', said };
  }
  return null;
}

/** Disguised or not. A password that only starts like a common one is accepted. */
function isCommon(lower: string, common: ReadonlySet<string>): boolean {
  return common.has(lower) || common.has(undisguise(lower));
}

function undisguise(text: string): string {
  return text.replace(/[@4310!$57]/g, (sign) => DISGUISES[sign] ?? sign);
}

function isPersonal(password: string, { email, firstName }: PasswordOwner): boolean {
  const lower = password.toLowerCase();
  const names = [email?.split('@')[0], firstName];
  return (
    names.some((name) => name?.toLowerCase() === lower) ||
    (email !== undefined && canonicalAddress(email) === canonicalAddress(password))
  );
}
