import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { parse as parseForm } from 'qs';
import { DomainError } from '../domain/domain-error.ts';
import { boundAnswers } from './answer-bounds.ts';
import { redirectToCanonicalHost } from './canonical-host.ts';
import { drainOnClose, isUpgrade } from './drain.ts';
import { guardConnections } from './guard-connections.ts';
import { limitBodyTime } from './limit-body-time.ts';
import { refuseCrossSite } from './refuse-cross-site.ts';
import { baseHeaders } from './security-headers.ts';

interface Options {
  publicUrl: string;
  trustedProxies: string[];
  log: Logger;
  /** How long a request's body may take, in milliseconds. */
  bodyTimeoutMs?: number | undefined;
  /** How long an answer is kept that nobody reads, in milliseconds. */
  stalledMs?: number | undefined;
}

const MAX_BODY_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;

/** The HTTP server with what holds for every route; routes are registered by the caller. */
export async function createServer(options: Options): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = options.log.child({}, { level: quieter(options.log.level) });
  const everywhere = baseHeaders(options.publicUrl);
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    genReqId: createRequestId,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: MAX_BODY_BYTES,
    // Closing waits for what is in flight and answers what still comes; see drain.ts.
    forceCloseConnections: false,
    return503OnClosing: false,
    // An address that no route can be looked up for, before any hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(everywhere).header('x-request-id', request.id);
      return app.errorHandler(error, request, reply);
    },
    routerOptions: { maxParamLength: 2_000, querystringParser: (text) => parseQuery(text) },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      // An upload may take hours: the bodies of all others are limited by a hook.
      requestTimeout: 0,
      // What offers another protocol is answered as it is.
      shouldUpgradeCallback: isUpgrade,
    },
  });
  guardConnections(app, options);
  await app.register(cookie);
  // text/plain is what a cross-site form can send without being asked: nothing here reads it.
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parseForm(body as string, { depth: 0 })),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere).header('x-request-id', request.id);
    if (namesOneHost(request)) return done();
    reply.header('connection', 'close');
    done(new DomainError('INVALID_INPUT', 'The request has several Host headers. Send one.'));
  });
  drainOnClose(app);
  boundAnswers(app);
  limitBodyTime(app, options.bodyTimeoutMs ?? BODY_TIMEOUT_MS);
  redirectToCanonicalHost(app, options.publicUrl);
  refuseCrossSite(app, options.publicUrl);
  return app;
}

/** Of several, a proxy in front may heed another one than Node.js does. */
function namesOneHost({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts < 2;
}

/** That it listens is said once, in words, by whoever started it. */
function quieter(level: string): string {
  return level === 'info' ? 'warn' : level;
}

/** Single values only: a name given twice keeps its last one. */
function parseQuery(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Short, to be quoted to support; it tells nobody how many requests there were. */
function createRequestId(): string {
  return randomUUID().slice(0, 13);
}
