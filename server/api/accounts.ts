import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import { ACCOUNT_ROUTES } from './accounts/account-routes.ts';
import { answerAuthError } from './accounts/answer-auth-error.ts';
import { callAuth } from './accounts/call-auth.ts';
import { refuseKeys } from './accounts/refuse-keys.ts';
import { refusePasswords } from './accounts/refuse-passwords.ts';
import { sendRefusal } from './accounts/send-refusal.ts';
import { type AccountsDependencies, serveAccountRoute } from './accounts/serve-account-route.ts';
import { serveCallback } from './accounts/serve-callback.ts';

/** Bytes. */
const BODY_LIMIT = 16 * 1024;

/** Sign-up, sign-in and what follows: `/api/auth/*`, `/logout` and the attributes of the user. */
export function registerAccounts(app: FastifyInstance, deps: AccountsDependencies): void {
  app.register((scope, _options, done) => {
    registerAuthRoutes(scope, deps);
    done();
  });
  app.register((scope, _options, done) => {
    registerLogout(scope, deps);
    done();
  });

  app.get('/api/user-attributes', async (request, reply) => {
    const { user } = await deps.findViewer(request);
    if (!user) throw new DomainError('UNAUTHORIZED', 'Sign in first.');
    reply.header('cache-control', 'no-store');
    return { email: user.email, 'custom:first_name': user.firstName, sub: user.id };
  });
}

function registerAuthRoutes(scope: FastifyInstance, deps: AccountsDependencies): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    async (_request: unknown, body: string) => parseBody(body),
  );
  scope.setErrorHandler(answerAuthError);
  refuseKeys(scope, deps.publishableKey);
  if (deps.onlyPool) refusePasswords(scope, deps.onlyPool);
  for (const [path, route] of Object.entries(ACCOUNT_ROUTES)) {
    scope.route({
      method: route.method,
      url: `/api/auth/${path}`,
      handler: serveAccountRoute(path, route, deps),
    });
  }
  scope.get('/api/auth/callback/:provider', serveCallback(deps));
  scope.all('/api/auth/*', async (_request, reply) =>
    sendRefusal(reply, {
      status: 404,
      code: 'NOT_FOUND',
      message: 'There is no such account route.',
    }),
  );
}

function parseBody(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch {
    throw new DomainError('INVALID_INPUT', 'The body is not valid JSON.');
  }
}

/** A plain form, so that signing out works without JavaScript and before it. */
function registerLogout(scope: FastifyInstance, deps: AccountsDependencies): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    async () => undefined,
  );
  scope.post('/logout', async (request, reply) => {
    const answer = await callAuth(deps.auth, deps.publicUrl, request, {
      method: 'POST',
      path: 'sign-out',
      ...(deps.onlyPool && { body: { callbackURL: '/', disableRedirect: true } }),
    });
    reply.header('set-cookie', answer.headers.getSetCookie());
    const { url }: { url?: string } = answer.code === null ? JSON.parse(answer.body) : {};
    if (!deps.onlyPool || !url) return reply.redirect('/', 303);
    // The pool's session ends as well. The content security policy lets no form redirect there.
    return reply.header('refresh', `0; url=${url}`).type('text/plain').send('You are signed out.');
  });
}
