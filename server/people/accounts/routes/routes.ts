import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { z } from 'zod';
import type { ApiCall } from '../../../edge/http/describe-calls.ts';
import { isFault, setRetryAfter, toProblem } from '../../../edge/http/errors.ts';
import { addressKey, RateLimited } from '../../../edge/http/rate-limits.ts';
import { NOT_TAKEN } from '../../../edge/http/refuse-methods.ts';
import { DomainError } from '../../../ground/lib/domain-error.ts';
import { ACCOUNT_ROUTES, type AccountRoute } from './account-routes.ts';
import { type AuthAnswer, callAuth, sendRefusal } from './call-auth.ts';
import { BODY_LIMIT, refusalByPool, refuseKeys, worksWithPool } from './guards.ts';
import { logFailedSignIn, TOO_MANY_SIGN_INS } from './log-failed-sign-in.ts';
import { stepCookie } from './login-routes.ts';
import {
  type AccountsContext,
  keepIf,
  rememberDevice,
  serveAccountRoute,
} from './serve-account-route.ts';

/** Sign-up, sign-in and what follows: `/api/auth/*`, `/logout` and the attributes of the user. */
export const accountRoutes: FastifyPluginAsync<AccountsContext> = async (app, context) => {
  app.register(async (scope) => registerAuthRoutes(scope, context));
  app.register(async (scope) => registerLogout(scope, context));

  app.get('/api/user-attributes', { config: { api: ATTRIBUTES } }, async (request, reply) => {
    const { user } = await request.viewer();
    if (!user) throw new DomainError('UNAUTHORIZED', 'Sign in first.');
    reply.header('cache-control', 'no-store');
    return { email: user.email, 'custom:first_name': user.firstName, sub: user.id };
  });
};

const ATTRIBUTES: ApiCall = {
  name: 'getUserAttributes',
  summary: 'Who is signed in.',
  caller: 'session',
  answers: {
    200: {
      says: 'The account.',
      json: z.object({ email: z.string(), 'custom:first_name': z.string(), sub: z.string() }),
    },
  },
};

/** What the account library answers is its own. */
function describeAccountCall(path: string, { body, isAnonymous, limits }: AccountRoute): ApiCall {
  return {
    name: path.replace(/[^a-z]+([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    summary: `${path} of the account library.`,
    ...(!isAnonymous && !limits && { caller: 'session' }),
    ...(body && { body }),
    answers: { 200: { says: 'Done.', json: z.looseObject({}) } },
  };
}

function registerAuthRoutes(scope: FastifyInstance, context: AccountsContext): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    async (_request: unknown, body: string) => parseBody(body),
  );
  scope.setErrorHandler(answerAuthError);
  scope.addHook('onRequest', refuseKeys);
  if (context.onlyPool) refusePasswords(scope, context.onlyPool);
  for (const [path, route] of Object.entries(ACCOUNT_ROUTES)) {
    scope.route({
      method: route.method ?? 'POST',
      url: `/api/auth/${path}`,
      config: { api: describeAccountCall(path, route) },
      handler: serveAccountRoute(path, context),
    });
  }
  scope.get('/api/auth/callback/:provider', serveCallback(context));
  scope.all('/api/auth/*', { config: { refuses: true } }, async ({ url }, reply) => {
    const taken = context.methodsAt(url);
    if (taken.length > 0) {
      reply.header('allow', taken.join(', '));
      return sendRefusal(reply, { status: 405, code: 'INVALID_INPUT', said: NOT_TAKEN });
    }
    const said = 'This account route does not exist.';
    return sendRefusal(reply, { status: 404, code: 'NOT_FOUND', said });
  });
}

function parseBody(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch {
    throw new DomainError('INVALID_INPUT', 'The body is not valid JSON.');
  }
}

/** A plain form, so that signing out works without JavaScript and before it. */
function registerLogout(scope: FastifyInstance, context: AccountsContext): void {
  scope.removeAllContentTypeParsers();
  const ignored = { parseAs: 'string', bodyLimit: BODY_LIMIT } as const;
  scope.addContentTypeParser('*', ignored, async () => undefined);
  scope.post('/logout', async (request, reply) => {
    const answer = await callAuth(context, request, {
      method: 'POST',
      path: 'sign-out',
      ...(context.onlyPool && { body: { callbackURL: '/', disableRedirect: true } }),
    });
    reply.header('set-cookie', answer.headers.getSetCookie());
    const { name, ...step } = stepCookie(context.publicUrl);
    reply.clearCookie(name, step);
    const { url }: { url?: string } = answer.code === null ? JSON.parse(answer.body) : {};
    if (!context.onlyPool || !url) return reply.redirect('/', 303);
    // The pool's session ends as well. The content security policy lets no form redirect there.
    return reply.header('refresh', `0; url=${url}`).type('text/plain').send('You are signed out.');
  });
}

function answerAuthError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toProblem(error);
  const { status, code } = problem;
  if (isFault(problem)) request.log.error({ err: error }, 'an account request failed');
  setRetryAfter(reply, error);
  const said = status === 415 ? 'Send the body as application/json.' : problem.said;
  return sendRefusal(reply, { status, code, said });
}

/** @param pool what people sign in with, as the button on the login page says. */
function refusePasswords(scope: FastifyInstance, pool: string): void {
  scope.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url?.replace('/api/auth/', '');
    if (path === undefined || path === '*' || worksWithPool(path)) return;
    return sendRefusal(reply, refusalByPool(pool));
  });
}

type CallbackRequest = FastifyRequest<{ Params: { provider: string } }>;

/** Where a provider sends a browser back to; the browser is led on, whatever came of it. */
function serveCallback(context: AccountsContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = (request as CallbackRequest).params;
    const { searchParams } = new URL(request.url, context.publicUrl);
    const ask = (query: URLSearchParams) => {
      const path = `callback/${encodeURIComponent(provider)}?${query}`;
      return callAuth(context, request, { method: 'GET', path });
    };
    const answer = await comeBack(context, request, () => ask(searchParams)).catch((error) => {
      if (!(error instanceof RateLimited)) throw error;
      // Only the library knows where its visitor was going; told of an error, it asks no provider.
      const state = searchParams.get('state') ?? '';
      return ask(new URLSearchParams({ state, error: TOO_MANY_SIGN_INS }));
    });
    await rememberDevice(context, request, reply, answer);
    const refusal = answer.code?.toLowerCase() ?? 'unexpected';
    const target = answer.headers.get('location') ?? `/login?error=${refusal}`;
    const code = new URL(target, context.publicUrl).searchParams.get('error');
    if (code !== null) logFailedSignIn(request, { ...answer, code });
    return reply
      .headers({ 'set-cookie': answer.headers.getSetCookie(), 'cache-control': 'no-store' })
      .redirect(target, 302);
  };
}

/** @throws RateLimited when an address comes back, or signs in, in a flood */
async function comeBack(
  { limits }: AccountsContext,
  request: FastifyRequest,
  ask: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  const address = addressKey(request.ip);
  // Never given back: whoever kept one state may come back by it as often as they like.
  await limits.take('accountRequests', address);
  const giveBack = await limits.take('providerSignIns', address);
  return keepIf(({ headers }) => headers.has('set-auth-token'), giveBack, ask);
}
