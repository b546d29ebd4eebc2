import { isLongerThan } from './characters.ts';
import { type Fact, fact } from './fact.ts';
import { PASSWORD_MIN_LENGTH } from './limits.ts';

export interface PasswordRule {
  /** What a password needs: "a number". */
  needs: Fact;
  holds(password: string): boolean;
}

export const isTooShort = (password: string) => !isLongerThan(password, PASSWORD_MIN_LENGTH - 1);

/** What every password contains (specification §5), in the order it is shown. */
export const PASSWORD_RULES: PasswordRule[] = [
  {
    needs: fact('at least {count} characters', { count: PASSWORD_MIN_LENGTH }),
    holds: (password) => !isTooShort(password),
  },
  { needs: fact('a lowercase letter'), holds: (password) => /\p{Ll}/u.test(password) },
  { needs: fact('an uppercase letter'), holds: (password) => /\p{Lu}/u.test(password) },
  { needs: fact('a number'), holds: (password) => /\p{Nd}/u.test(password) },
  { needs: fact('a symbol'), holds: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
];

/** Names everything a password lacks; undefined when it lacks nothing. */
export function checkPassword(password: string): Fact | undefined {
  const missing = PASSWORD_RULES.filter((rule) => !rule.holds(password)).map(({ needs }) => needs);
  return missing.length === 0 ? undefined : fact('The password needs {missing}.', { missing });
}
