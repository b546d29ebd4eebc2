import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Books } from '../books.ts';
import { acceptForms, parseForm } from '../form-body.ts';
import { newId } from '../new-id.ts';
import { PLATFORM, type SandboxLog } from '../scope.ts';
import { invalidRequest, StripeError } from '../stripe-error.ts';
import { type Call, type Endpoint, isV2, type PathIds } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { serveEndpoint } from './serve-endpoint.ts';

/** This machine by the names that a client on it knows, with or without a port. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** The provider's API as a server of its own; `hostedPage` is mounted on it as well. */
export function createApiServer(
  books: Books,
  hostedPage: FastifyPluginAsync,
  { log, delayMs = 0 }: { log: SandboxLog; delayMs?: number | undefined },
): FastifyInstance {
  const answerError = createErrorHandler(log);
  const app = Fastify({
    frameworkErrors: answerError,
    genReqId: () => newId('req', 14),
    logger: false,
    routerOptions: { querystringParser: parseForm },
  });
  // Its sessions expire by this clock, which the process may have set; Node's own header would not.
  app.addHook('onRequest', async ({ headers }, reply) => {
    reply.header('date', new Date(Date.now()).toUTCString());
    // A page on the web can lead a name of its own to this machine, and its visitor's browser here.
    if (!LOOPBACK_HOST.test(headers.host ?? '')) throw foreignHost();
  });
  if (delayMs > 0) app.addHook('onRequest', (_request, _reply, done) => setTimeout(done, delayMs));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(refuseUnknownRoute);
  app.register(hostedPage);
  const v2 = ENDPOINTS.filter(({ path }) => isV2(path));
  const v1 = ENDPOINTS.filter(({ path }) => !isV2(path));
  app.register(createApiRoutes(books, v1, acceptForms));
  app.register(createApiRoutes(books, v2, acceptJson));
  return app;
}

function foreignHost(): StripeError {
  const message = 'The sandbox answers only at 127.0.0.1, localhost or [::1]. Use one of them.';
  return invalidRequest(message, {}, 403);
}

/** The answer to anything that goes wrong on a server, in the provider's error shape. */
function createErrorHandler(log: SandboxLog) {
  return (error: FastifyError | StripeError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asStripeError(error);
    if (refusal.status >= 500) log.error({ err: error }, 'sandbox: a request failed');
    const body = isV2(request.url) ? refusal.toJSONv2() : refusal.toJSON();
    reply.code(refusal.status).send(body);
  };
}

/** The answer to a request for which there is no route. */
function refuseUnknownRoute(request: FastifyRequest): never {
  throw invalidRequest(
    `Unrecognized request URL (${request.method}: ${request.url.split('?', 1)[0]}). The sandbox supports a part of the provider's API; see sandbox/README.md.`,
    {},
    404,
  );
}

function asStripeError(error: FastifyError | StripeError): StripeError {
  if (error instanceof StripeError) return error;
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    return new StripeError(500, { type: 'api_error', message: 'The sandbox failed; see its log.' });
  }
  const message =
    error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      ? 'Invalid request (check that your POST content type is application/x-www-form-urlencoded, or application/json for API v2).'
      : error.message;
  return invalidRequest(message, {}, status);
}

const LONGEST_KEY = 255;

/** Makes one scope of a server understand JSON and nothing else. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // As the SDK sends it to delete something.
    if (body === '') done(null);
    else void parseJson(request, body as string, done);
  });
}

/** Endpoints over HTTP, behind the check of the key. */
function createApiRoutes(
  books: Books,
  endpoints: Endpoint[],
  acceptBodies: (app: FastifyInstance) => void,
): FastifyPluginAsync {
  return async (api) => {
    api.removeAllContentTypeParsers();
    acceptBodies(api);
    api.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', request.id);
      authenticate(request.headers.authorization, request.url);
    });
    api.addHook('onRequest', refuseKeysInUse());
    for (const endpoint of endpoints) {
      api.route({
        method: endpoint.method,
        url: endpoint.path,
        handler(request, reply) {
          const call = readCall(request);
          const { status, body, originalRequest } = serveEndpoint(books, endpoint, call);
          if (call.idempotencyKey) reply.header('idempotency-key', call.idempotencyKey);
          if (originalRequest) {
            reply.header('idempotent-replayed', 'true').header('original-request', originalRequest);
          }
          return reply.code(status).type('application/json').send(body);
        },
      });
    }
  };
}

function readCall(request: FastifyRequest): Call {
  const isPost = request.method === 'POST';
  return {
    requestId: request.id,
    path: request.url.split('?', 1)[0] as string,
    ids: request.params as PathIds,
    params: ((isPost ? request.body : request.query) ?? {}) as Record<string, unknown>,
    idempotencyKey: isPost ? idempotencyKey(request) : null,
    account: header(request, 'stripe-account'),
  };
}

function idempotencyKey(request: FastifyRequest): string | null {
  const key = header(request, 'idempotency-key');
  if (key !== null && key.length > LONGEST_KEY) {
    throw invalidRequest(`Idempotency keys can be at most ${LONGEST_KEY} characters long.`);
  }
  return key;
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/**
 * Accepts any secret test key as a bearer, and any restricted one except for what it says itself
 * that it must not: `rk_test_no_disputes_no_refunds`.
 * @throws StripeError 401 or 403 in the provider's words
 */
function authenticate(authorization: string | undefined, url: string): void {
  const key = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (key?.startsWith('sk_test_')) return;
  if (key?.startsWith('rk_test_')) {
    refuseUnpermitted(key, url);
    return;
  }
  throw new StripeError(401, {
    type: 'authentication_error',
    message: key
      ? `Invalid API Key provided: ${masked(key)}`
      : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://docs.stripe.com/api#authentication for details, or we can help at https://support.stripe.com/.",
  });
}

function refuseUnpermitted(key: string, url: string): void {
  const resource = /^\/v[12]\/((?:checkout|core)\/\w+|\w+)/.exec(url)?.[1]?.replace('/', '_');
  if (!`${key}_`.includes(`_no_${resource}_`)) return;
  throw invalidRequest(
    `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${PLATFORM}'.`,
    {},
    403,
  );
}

function masked(key: string): string {
  const kind = /^[a-z]+_(?:live|test)_/.exec(key)?.[0] ?? '';
  const rest = key.slice(kind.length);
  return `${kind}${'*'.repeat(Math.max(0, rest.length - 4))}${rest.slice(-4)}`;
}

/**
 * Refuses a request whose idempotency key is held by another one that is still being answered.
 * Returns the hook to run as soon as a request's headers are there.
 */
function refuseKeysInUse() {
  const inUse = new Set<string>();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || typeof key !== 'string') return;
    const held = JSON.stringify([request.headers['stripe-account'], key]);
    if (inUse.has(held)) {
      throw new StripeError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    }
    inUse.add(held);
    reply.raw.once('close', () => inUse.delete(held));
  };
}
