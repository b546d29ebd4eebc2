import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import proxyaddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { parse } from 'secure-json-parse';
import { DEFAULT_ANSWER_BYTES } from './answer-bounds.ts';
import { findHeadFault } from './find-head-fault.ts';
import { type TellAnswer, type TraceAnswer, tellWhenSent, tenths } from './tell-answers.ts';

/** A whole answer, the same for everybody. */
export interface ReadyAnswer {
  status: number;
  /** The pattern of the route that it is sent in place of. */
  route: string | null;
  /** Names and values in turn. The last value is each request's own id. */
  headers: string[];
  body: Buffer;
}

/** Has a request answered when it is its turn. @returns whether it may be answered at all */
export type Admit = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: () => void,
) => boolean;

type Found = ReadyAnswer | undefined;

/** A promise where it has to be looked at first; it never rejects. */
type FindReady = (request: IncomingMessage) => Found | Promise<Found>;

/** A small post of JSON, without cookies. */
export interface PlainPost {
  id: string;
  headers: IncomingMessage['headers'];
  /** Of who sent it, as trusted proxies tell. */
  ip: string;
  body: unknown;
}

/** Besides the headers of every answer. */
export interface JsonAnswer {
  status: number;
  headers: Record<string, string | number>;
  text: string;
}

/** null leaves the post to its route. What is returned never rejects: what fails is an answer too. */
type AcceptPost = (post: PlainPost) => (() => Promise<JsonAnswer>) | null;

declare module 'fastify' {
  interface FastifyInstance {
    /** Has plain GETs answered by what is found for them, without routes and their hooks. */
    answerReady(find: FindReady): void;
    /** Has plain posts to a path answered without its route, which must answer in the same way. */
    answerPosts(path: string, accept: AcceptPost): void;
  }
}

interface Options {
  publicUrl: string;
  /** Of which addresses it is told for whom they ask. */
  isProxy: (address: string, hop: number) => boolean;
  /** Headers of every answer. */
  everywhere: Record<string, string>;
  admit: Admit;
  /** The id of a request. */
  identify(request: IncomingMessage): string;
  tellAnswer: TellAnswer | undefined;
  traceAnswer: TraceAnswer | undefined;
}

/** Some proxies name a client together with its port: each of its connections would be another one. */
export function forgetPorts({ headers }: IncomingMessage): void {
  const given = headers['x-forwarded-for'];
  if (typeof given !== 'string' || !given.includes(':')) return;
  headers['x-forwarded-for'] = given
    .split(',')
    .map((name) => name.trim().replace(/^(?:\[(.+)\]|((?:\d+\.){3}\d+))(?::\d+)?$/, '$1$2'))
    .join(', ');
}

/** Bytes; larger ones are read by their routes. */
const MAX_POST_BYTES = 4 * 1024;

/**
 * Answers the two kinds of requests that most are, kept pages and small posts of JSON, before they
 * are routed: what that makes for each request takes as long as a whole answer from memory.
 * Whatever one of the hooks would have a word on is left to them.
 */
export function answerBeforeRoutes(app: FastifyInstance, options: Options): void {
  const { isProxy, admit, identify, everywhere, tellAnswer, traceAnswer } = options;
  const { host: canonical } = new URL(options.publicUrl);
  const posts = new Map<string, AcceptPost>();
  const takeTogether = createBatches();
  let find: FindReady = () => undefined;
  app.decorate('answerReady', (given: FindReady) => {
    find = given;
  });
  app.decorate('answerPosts', (path: string, accept: AcceptPost) => {
    posts.set(path, accept);
  });
  const [route] = app.server.listeners('request') as [RequestListener];
  app.server.removeListener('request', route);
  app.server.on('request', (request, response) => {
    forgetPorts(request);
    const isPlain =
      request.headers.host === canonical &&
      request.headers['transfer-encoding'] === undefined &&
      request.headers.upgrade === undefined &&
      // Another answer of its connection is still being sent.
      response.socket !== null &&
      !app.draining &&
      findHeadFault(request) === undefined;
    if (isPlain && request.method === 'GET') answerGet(request, response);
    else if (isPlain && request.method === 'POST') answerPost(request, response);
    else route(request, response);
  });

  function answerGet(request: IncomingMessage, response: ServerResponse): void {
    const arrival = performance.now();
    const found = request.headers['content-length'] === undefined ? find(request) : undefined;
    if (!(found instanceof Promise)) sendReady(request, response, found, arrival);
    else {
      found
        .then((ready) => {
          if (response.destroyed) return;
          sendReady(request, response, app.draining ? undefined : ready, arrival);
        })
        .catch(() => response.destroy());
    }
  }

  function sendReady(
    request: IncomingMessage,
    response: ServerResponse,
    ready: Found,
    arrival: number,
  ): void {
    if (!ready || ready.body.length > DEFAULT_ANSWER_BYTES) return void route(request, response);
    admit(request, response, () => {
      const reqId = identify(request);
      ready.headers[ready.headers.length - 1] = reqId;
      traceAnswer?.(reqId, request.headers.traceparent, () => {});
      response.writeHead(ready.status, ready.headers).end(ready.body);
      tellAnswer?.({
        reqId,
        method: 'GET',
        route: ready.route,
        status: ready.status,
        ms: tenths(performance.now() - arrival),
      });
    });
  }

  function answerPost(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    const accept = posts.get(path);
    if (!accept || !isPlainPost(request)) return void route(request, response);
    // Its body mostly came with its head, and is handed over after it.
    takeTogether(() => {
      if (!request.complete || app.draining) return void route(request, response);
      const bytes = request.read() as Buffer | null;
      const body = bytes && parseJson(bytes);
      const id = identify(request);
      const ip = proxyaddr(request, isProxy);
      const answer = body ? accept({ id, headers: request.headers, ip, body }) : null;
      if (!answer) {
        if (bytes) request.unshift(bytes);
        return void route(request, response);
      }
      if (tellAnswer)
        tellWhenSent({ reqId: id, method: 'POST', route: path }, response, tellAnswer);
      admit(request, response, () => {
        const answered = traceAnswer?.(id, request.headers.traceparent, answer) ?? answer();
        answered.then(({ status, headers, text }) => {
          const length = Buffer.byteLength(text);
          response
            .writeHead(status, {
              ...everywhere,
              'content-type': 'application/json; charset=utf-8',
              ...headers,
              'x-request-id': id,
              'content-length': length,
            })
            .end(text);
        });
      });
    });
  }
}

/**
 * Posts that arrive together and are answered in one turn, in which their reads share a transaction.
 * Few: they are all begun before it shows how long they take.
 */
const MOST_TOGETHER = 16;

function createBatches(): (take: () => void) => void {
  let batch: (() => void)[] = [];
  return (take) => {
    if (batch.length === 0 || batch.length === MOST_TOGETHER) {
      const takes: (() => void)[] = [];
      batch = takes;
      setImmediate(() => {
        if (batch === takes) batch = [];
        for (const takeOne of takes) takeOne();
      });
    }
    batch.push(take);
  };
}

/** undefined for what its route refuses. */
function parseJson(bytes: Buffer): unknown {
  try {
    return parse(bytes.toString());
  } catch {
    return undefined;
  }
}

const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i;

/** What a program sends; a browser's are checked for where they come from, and carry cookies. */
function isPlainPost({ headers }: IncomingMessage): boolean {
  return (
    Number(headers['content-length']) <= MAX_POST_BYTES &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headers.cookie === undefined &&
    headers.origin === undefined &&
    headers['sec-fetch-site'] === undefined &&
    headers['content-encoding'] === undefined
  );
}
