import { isLongerThan } from './characters.ts';
import { PASSWORD_MIN_LENGTH } from './limits.ts';

export interface PasswordRule {
  /** What a password needs: "a number". */
  needs: string;
  holds(password: string): boolean;
}

export const isTooShort = (password: string) => !isLongerThan(password, PASSWORD_MIN_LENGTH - 1);

/** What every password contains (specification §5), in the order it is shown. */
export const PASSWORD_RULES: PasswordRule[] = [
  {
    needs: `at least ${PASSWORD_MIN_LENGTH} characters`,
    holds: (password) => !isTooShort(password),
  },
  { needs: 'a lowercase letter', holds: (password) => /\p{Ll}/u.test(password) },
  { needs: 'an uppercase letter', holds: (password) => /\p{Lu}/u.test(password) },
  { needs: 'a number', holds: (password) => /\p{Nd}/u.test(password) },
  { needs: 'a symbol', holds: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
];

/** Names everything a password lacks; undefined when it lacks nothing. */
export function checkPassword(password: string): string | undefined {
  const missing = PASSWORD_RULES.filter((rule) => !rule.holds(password)).map(({ needs }) => needs);
  if (missing.length === 0) return undefined;
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(missing);
  return `The password needs ${list}.`;
}
