import type { FastifyRequest } from 'fastify';
import type { AuthAnswer } from './call-auth.ts';

/** The account routes that sign somebody in. */
export const SIGN_INS: ReadonlySet<string> = new Set([
  'sign-in/email',
  'two-factor/verify-totp',
  'two-factor/verify-backup-code',
  'passkey/verify-authentication',
]);

/** The login page is told that the visitor's network came by a provider too often. */
export const TOO_MANY_SIGN_INS = 'too_many_sign_ins';

/** Refusals of who proved to be the one, or had no chance to: nobody is to be shut out for them. */
const NO_FAILURES = new Set(['EMAIL_NOT_VERIFIED', 'access_denied', TOO_MANY_SIGN_INS]);

/**
 * Tells the operator, and programs that shut addresses out, of a sign-in that failed: from where
 * and why, and whose account was named, as far as its owner would know it again.
 */
export function logFailedSignIn(
  request: FastifyRequest,
  { code }: Pick<AuthAnswer, 'code'>,
  account = '',
): void {
  if (code === null || NO_FAILURES.has(code)) return;
  const [name = '', domain] = account.split('@');
  const masked = domain && { account: `${name.slice(0, 1)}…@${domain}` };
  // A provider's word comes by the visitor's browser.
  const reason = /^\w{1,64}$/.test(code) ? code : 'unknown';
  request.log.warn({ client: request.ip, ...masked, reason }, 'a sign-in failed');
}
