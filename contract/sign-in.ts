import { checkAppCode, checkCode, checkEmail, checkNewPassword } from './account-checks.ts';
import { isBlank } from './characters.ts';
import { fact } from './fact.ts';
import { collectErrors, type FormErrors } from './form-errors.ts';

type Typed = Partial<Record<string, string>>;

/** What is wrong with what was typed into each form of the login page, by field. */
export const SIGN_IN_CHECKS = {
  'sign-in': ({ email, password }: Typed) =>
    collectErrors({
      email: checkEmail(email),
      password: !password && fact('Enter your password.'),
    }),
  'sign-up': ({ firstName, email, password, confirmation }: Typed) =>
    collectErrors({
      ...checkFirstName(firstName),
      email: checkEmail(email),
      ...checkNewPassword(password, confirmation),
    }),
  verify: ({ code }: Typed) => collectErrors({ code: checkCode(code) }),
  forgot: ({ email }: Typed) => collectErrors({ email: checkEmail(email) }),
  reset: ({ code, password, confirmation }: Typed) =>
    collectErrors({ code: checkCode(code), ...checkNewPassword(password, confirmation) }),
  'second-factor': ({ code }: Typed) => collectErrors({ code: checkAppCode(code) }),
  'backup-code': ({ code }: Typed) =>
    collectErrors({ code: !code?.trim() && fact('Enter a backup code.') }),
  'first-name': ({ firstName }: Typed) => collectErrors(checkFirstName(firstName)),
} satisfies Record<string, (typed: Typed) => FormErrors>;

function checkFirstName(firstName = '') {
  return { firstName: isBlank(firstName) && fact('Enter your first name.') };
}

export type SignInForm = keyof typeof SIGN_IN_CHECKS;

/** Where somebody is on their way in. */
export interface SignInStep {
  at: SignInForm | 'provider' | 'done';
  /** As it was typed; empty before. */
  email: string;
  /** A new password was saved on the way here. */
  passwordSaved?: boolean | undefined;
  /** Typed into the form that was refused. */
  firstName?: string | undefined;
  /** What was wrong with the form that was posted; `resend` is that for another code. */
  errors?: FormErrors | undefined;
  /** Another code was asked for, and is on its way. */
  isResent?: boolean | undefined;
}

/**
 * The login page at one of its steps, and where the form of that step is posted.
 * @param next where to go after signing in, as the address of the page has it
 */
export function loginAddress(mode: SignInStep['at'], next: string | undefined): string {
  return `/login?${new URLSearchParams({ mode, ...(next && { next }) })}`;
}

/** Where to go after signing in: a path of this site, never another one. */
export function safeNextPath(next: string | undefined): string {
  // As a browser reads it: '//host', '/\host' and '/<tab>/host' are other sites.
  const base = 'http://here.invalid';
  const url = next?.startsWith('/') && URL.canParse(next, base) ? new URL(next, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/dashboard';
  return url.pathname + url.search + url.hash;
}
