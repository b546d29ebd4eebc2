import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './send-refusal.ts';

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

/** @param pool what people sign in with, as the button on the login page says. */
export function refusePasswords(scope: FastifyInstance, pool: string): void {
  scope.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url?.replace('/api/auth/', '');
    if (path === undefined || path === '*' || REMAINING.has(path)) return;
    const message = `This is switched off here. Use "Sign in with ${pool}" on the login page.`;
    return sendRefusal(reply, { status: 403, code: 'ONLY_USER_POOL', message });
  });
}
