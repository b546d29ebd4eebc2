import type { FastifyRequest } from 'fastify';
import { fact } from '../../../../contract/fact.ts';
import { isBearer, isSecretKey } from '../../../edge/http/credentials.ts';
import { DomainError } from '../../../ground/lib/domain-error.ts';

/** Of what is sent about an account, in bytes. */
export const BODY_LIMIT = 16 * 1024;

/**
 * A secret key goes before the session cookie beside it and says nothing about a session, right
 * or wrong: nothing is done to the account of the cookie.
 */
export async function refuseKeys({ headers }: FastifyRequest): Promise<void> {
  if (isBearer(headers.authorization)) return;
  if (!isSecretKey(headers['x-api-key'])) return;
  throw new DomainError(
    'UNAUTHORIZED',
    'Account routes do not accept API keys: send the request without one.',
  );
}

/**
 * What remains where a user pool is the only way in. Named one by one, so that a way to sign in
 * that is added later stays shut here.
 */
const REMAINING = new Set([
  'ok',
  'sign-in/social',
  'callback/:provider',
  'sign-out',
  'update-user',
  'delete-user',
  'get-session',
  'list-sessions',
  'revoke-session',
  'revoke-other-sessions',
]);

/** Whether an account route is there where a user pool is the only way in. */
export const worksWithPool = (path: string): boolean => REMAINING.has(path);

/** The answer of the others. @param pool as the button on the login page says */
export const refusalByPool = (pool: string) => ({
  status: 403,
  code: 'ONLY_USER_POOL',
  said: fact('This is turned off here. Use “Sign in with {pool}” on the sign-in page.', { pool }),
});
