import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import proxyaddr, { compile } from '@fastify/proxy-addr';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { boundAnswers } from './answer-bounds.ts';
import { drainOnClose, isUpgrade } from './drain.ts';
import { type Admit, answerBeforeRoutes, forgetPorts } from './early-answers.ts';
import { createFairTurns } from './fair-turns.ts';
import { findHeadFault } from './find-head-fault.ts';
import { guardConnections } from './guard-connections.ts';
import { addressKey } from './rate-limits.ts';
import { baseHeaders } from './security-headers.ts';
import { type TellAnswer, type TraceAnswer, tellAnswers, tellWhenSent } from './tell-answers.ts';

interface Options {
  publicUrl: string;
  trustedProxies: string[];
  log: Logger;
  /** Told of each answer once it has been sent. */
  tellAnswer?: TellAnswer | undefined;
  traceAnswer?: TraceAnswer | undefined;
  /** How long a request's body may take, in milliseconds. */
  bodyTimeoutMs?: number | undefined;
  /** How long a response is kept that nobody reads, in milliseconds. */
  stalledMs?: number | undefined;
}

const MAX_BODY_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;

/** The HTTP server with what applies to every route; routes are registered by the caller. */
export async function createServer(options: Options): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = options.log.child({}, { level: quieter(options.log.level) });
  const { tellAnswer, traceAnswer } = options;
  const isProxy = compile(options.trustedProxies);
  const identify = createIdentify(isProxy);
  const everywhere = baseHeaders(options.publicUrl);
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    genReqId: identify,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: MAX_BODY_BYTES,
    // Closing waits for what is in flight and answers what still comes; see drain.ts.
    forceCloseConnections: false,
    return503OnClosing: false,
    // An address that no route can be looked up for, before any hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(everywhere).header('x-request-id', request.id);
      const told = { reqId: request.id, method: request.method, route: null };
      if (tellAnswer) tellWhenSent(told, reply.raw, tellAnswer);
      const { raw } = request;
      const isMisread = findHeadFault(raw) !== undefined;
      if (isMisread) reply.header('connection', 'close');
      admit(raw, reply.raw, () => app.errorHandler(error, request, reply));
      if (isMisread) misread.add(raw.socket);
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
  if (traceAnswer) {
    app.addHook('onRequest', ({ id, headers }, _reply, done) => {
      traceAnswer(id, headers.traceparent, done);
    });
  }
  if (tellAnswer) tellAnswers(app, tellAnswer);
  const takeTurn = createFairTurns(
    (request) => addressKey(proxyaddr(request, isProxy)),
    ({ method, url }) => method === 'POST' && url === WEBHOOK,
  );
  const isAdmitted = guardConnections(app, options);
  const follow = drainOnClose(app);
  /** What follows on them may be no request. */
  const misread = new WeakSet<Socket>();
  /** Each request passes here once, whichever way it is answered. */
  const admit: Admit = (request, response, answer) => {
    if (misread.has(request.socket) || !isAdmitted(request, response)) return false;
    // Those that become another protocol come this way alone.
    forgetPorts(request);
    takeTurn(request, () => {
      follow(request, response);
      answer();
    });
    return true;
  };
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (!admit(raw, reply.raw, done)) reply.hijack();
    else if (findHeadFault(raw)) misread.add(raw.socket);
  });
  answerBeforeRoutes(app, {
    publicUrl: options.publicUrl,
    isProxy,
    admit,
    identify,
    everywhere,
    tellAnswer,
    traceAnswer,
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
    const fault = findHeadFault(request.raw);
    if (!fault) return done();
    reply.header('connection', 'close');
    done(new DomainError('INVALID_INPUT', fault));
  });
  boundAnswers(app);
  limitBodyTime(app, options.bodyTimeoutMs ?? BODY_TIMEOUT_MS);
  redirectToCanonicalHost(app, options.publicUrl);
  refuseCrossSite(app, options.publicUrl);
  return app;
}

/** That it listens is said once, in words, by whoever started it. */
function quieter(level: string): string {
  return level === 'info' ? 'warn' : level;
}

/** Single values only: a name given twice keeps its last one. */
function parseQuery(text: string): Record<string, string> {
  return text === '' ? {} : Object.fromEntries(new URLSearchParams(text));
}

/** As proxies make them; whatever else one sends is not repeated. */
const REQUEST_ID = /^[\w.:-]{1,64}$/;

/**
 * A trusted proxy names its requests itself; all others are named here: shortly, for quoting to
 * support, and without revealing how many there were.
 */
function createIdentify(
  isProxy: (address: string, hop: number) => boolean,
): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const isGiven = typeof given === 'string' && REQUEST_ID.test(given);
    return isGiven && isProxy(socket.remoteAddress ?? '', 0) ? given : randomUUID().slice(0, 13);
  };
}

/** Asked by machines at whatever address they know. */
const ASKED_BY_MACHINES = new Set(['/healthz', '/readyz']);

/**
 * Opened by another name, such as www before it, cookies would not match, and checkouts would be
 * another origin's: lead to the one in PUBLIC_URL. No other name is redirected: a proxy that does not
 * pass the name on would be asked in a circle.
 */
function redirectToCanonicalHost(app: FastifyInstance, publicUrl: string): void {
  const { host: canonical } = new URL(publicUrl);
  const isLocal = LOOPBACK_HOST.test(canonical);
  const bare = canonical.replace(/^www\./, '');
  const isAlias = (host: string) =>
    host !== canonical &&
    (isLocal ? LOOPBACK_HOST.test(host) : host === bare || host === `www.${bare}`);
  app.addHook('onRequest', (request, reply, done) => {
    const { host, upgrade } = request.headers;
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    // A WebSocket cannot follow a redirect.
    const isLed = host && isAlias(host.toLowerCase()) && isPage && !upgrade;
    if (!isLed || ASKED_BY_MACHINES.has(request.url)) return done();
    reply.redirect(publicUrl + request.url, 307);
  });
}

/** A Host header that names this machine itself, with or without a port. */
export const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What ends the waiting of buyers. */
const WEBHOOK = '/webhooks/stripe';
/** Signed by the provider itself, or asked by programs of any origin: no cookie means anything there. */
const WITHOUT_COOKIES = ['/webhooks/', '/licenses/'];

/**
 * A state-changing request is decided by Sec-Fetch-Site, then by Origin. Browsers leave the
 * first out on a plain http address; a client that sends neither is no browser, and brings no
 * cookies against its person's will.
 */
function refuseCrossSite(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isOpen = WITHOUT_COOKIES.some((path) => request.url.startsWith(path));
    if (isOpen || SAFE_METHODS.has(request.method)) return done();
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
const COVERS = /^(\/p\/[^/?]+\/cover|\/account\/picture)(\?|$)/;
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
