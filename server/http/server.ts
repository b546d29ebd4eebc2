import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '../lib/domain-error.ts';
import { boundAnswers, DEFAULT_ANSWER_BYTES } from './answer-bounds.ts';
import { drainOnClose, isUpgrade } from './drain.ts';
import { guardConnections } from './guard-connections.ts';
import { baseHeaders } from './security-headers.ts';

interface Options {
  publicUrl: string;
  trustedProxies: string[];
  log: Logger;
  /** How long a request's body may take, in milliseconds. */
  bodyTimeoutMs?: number | undefined;
  /** How long a response is kept that nobody reads, in milliseconds. */
  stalledMs?: number | undefined;
}

/** A whole answer, the same for everybody. */
export interface ReadyAnswer {
  status: number;
  /** Names and values in turn. The last value is each request's own id. */
  headers: string[];
  body: Buffer;
}

type FindReady = (request: IncomingMessage) => ReadyAnswer | undefined;

declare module 'fastify' {
  interface FastifyInstance {
    /** Has plain GETs answered by what is found for them, without routes and their hooks. */
    answerReady(find: FindReady): void;
  }
}

const MAX_BODY_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;

/** The HTTP server with what applies to every route; routes are registered by the caller. */
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
  const admit = guardConnections(app, options);
  const follow = drainOnClose(app);
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (!admit(raw, reply.raw)) return void reply.hijack();
    follow(raw, reply.raw);
    done();
  });
  answerReady(app, options.publicUrl, (request, response) => {
    if (!admit(request, response)) return false;
    follow(request, response);
    return true;
  });
  await app.register(cookie);
  // text/plain is what a cross-site form can send without being asked: nothing here reads it.
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere).header('x-request-id', request.id);
    if (namesOneHost(request.raw)) return done();
    reply.header('connection', 'close');
    done(new DomainError('INVALID_INPUT', 'The request has more than one Host header.'));
  });
  boundAnswers(app);
  limitBodyTime(app, options.bodyTimeoutMs ?? BODY_TIMEOUT_MS);
  redirectToCanonicalHost(app, options.publicUrl);
  refuseCrossSite(app, options.publicUrl);
  return app;
}

/** Of several, a proxy in front may heed another one than Node.js does. */
function namesOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts < 2;
}

/**
 * Sends what is ready before the request is routed: what that makes for each request takes as long as
 * a whole answer from memory. Whatever one of the hooks would have a word on is left to them.
 */
function answerReady(
  app: FastifyInstance,
  publicUrl: string,
  admit: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const { host: canonical } = new URL(publicUrl);
  const [route] = app.server.listeners('request') as [RequestListener];
  let find: FindReady = () => undefined;
  app.decorate('answerReady', (given: FindReady) => {
    find = given;
  });
  const isPlain = (request: IncomingMessage, { socket }: ServerResponse) =>
    request.method === 'GET' &&
    request.headers.host === canonical &&
    request.headers['content-length'] === undefined &&
    request.headers['transfer-encoding'] === undefined &&
    request.headers.upgrade === undefined &&
    // Another answer of its connection is still being sent.
    socket !== null &&
    !app.draining &&
    namesOneHost(request);
  app.server.removeListener('request', route);
  app.server.on('request', (request, response) => {
    const ready = isPlain(request, response) ? find(request) : undefined;
    if (!ready || ready.body.length > DEFAULT_ANSWER_BYTES) return route(request, response);
    if (!admit(request, response)) return;
    ready.headers[ready.headers.length - 1] = createRequestId();
    response.writeHead(ready.status, ready.headers).end(ready.body);
  });
}

/** That it listens is said once, in words, by whoever started it. */
function quieter(level: string): string {
  return level === 'info' ? 'warn' : level;
}

/** Single values only: a name given twice keeps its last one. */
function parseQuery(text: string): Record<string, string> {
  return text === '' ? {} : Object.fromEntries(new URLSearchParams(text));
}

/** Short, for quoting to support; it does not reveal how many requests there were. */
function createRequestId(): string {
  return randomUUID().slice(0, 13);
}

/** Asked by machines at whatever address they know. */
const ASKED_BY_MACHINES = new Set(['/healthz', '/readyz']);

/** Opened by another loopback name, cookies would not match: lead to the one in PUBLIC_URL. */
function redirectToCanonicalHost(app: FastifyInstance, publicUrl: string): void {
  const { host: canonical } = new URL(publicUrl);
  app.addHook('onRequest', (request, reply, done) => {
    const { host, upgrade } = request.headers;
    const canonicalEnough = host === canonical || !host || !LOOPBACK_HOST.test(host);
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    // A WebSocket cannot follow a redirect.
    if (canonicalEnough || !isPage || ASKED_BY_MACHINES.has(request.url) || upgrade) return done();
    reply.redirect(publicUrl + request.url, 307);
  });
}

/** A Host header that names this machine itself, with or without a port. */
export const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Signed by the provider itself, and sent by no browser. */
const SIGNED_BY_PROVIDER = '/webhooks/';

/**
 * A state-changing request is decided by Sec-Fetch-Site, then by Origin. Browsers leave the
 * first out on a plain http address; a client that sends neither is no browser, and brings no
 * cookies against its person's will.
 */
function refuseCrossSite(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || request.url.startsWith(SIGNED_BY_PROVIDER))
      return done();
    const site = request.headers['sec-fetch-site'];
    const { origin } = request.headers;
    const allowed =
      site === undefined
        ? origin === undefined || origin === publicUrl
        : site === 'same-origin' || site === 'none';
    if (allowed) return done();
    done(new DomainError('CROSS_SITE', `This request is only accepted from ${publicUrl}.`));
  });
}

/** A picture of ten megabytes from a slow phone: as many times what other bodies may take. */
const COVERS = /^\/p\/[^/?]+\/cover(\?|$)/;
const COVER_PATIENCE = 10;

/** An upload may take hours; its own code watches it. */
const UPLOADS = /^\/uploads(\/|\?|$)/;

/**
 * Ends connections whose request is not whole in time (milliseconds). A body that has arrived
 * leaves its answer all the time it takes.
 */
function limitBodyTime(app: FastifyInstance, bodyTimeoutMs: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request;
    const hasBody =
      headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    if (!hasBody || UPLOADS.test(request.url)) return done();
    const patience = COVERS.test(request.url) ? COVER_PATIENCE : 1;
    // Most bodies are there with their head.
    setImmediate(() => {
      if (raw.complete || raw.destroyed) return;
      const timer = setTimeout(() => {
        if (!raw.complete) raw.socket.destroy();
      }, bodyTimeoutMs * patience);
      timer.unref();
      raw.on('close', () => clearTimeout(timer));
    });
    done();
  });
}
