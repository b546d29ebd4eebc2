import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../domain/domain-error.ts';
import { isBearer, isSecretKey } from '../credentials.ts';

/**
 * A secret key goes before the session cookie beside it and says nothing about a session, right
 * or wrong: nothing is done to the account of the cookie.
 */
export function refuseKeys(scope: FastifyInstance, publishableKey: string): void {
  scope.addHook('onRequest', async ({ headers }) => {
    if (isBearer(headers.authorization)) return;
    if (!isSecretKey(headers['x-api-key'], publishableKey)) return;
    throw new DomainError('UNAUTHORIZED', 'Accounts are not reached by a key: leave it out.');
  });
}
