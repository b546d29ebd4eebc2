import { lookup } from 'node:dns';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { fact, keepFact } from '../../../contract/fact.ts';
import type { HookAnswer, PostHook } from '../../notices/hooks/serve-hook.ts';

interface Options {
  /** Whether receivers may be in the operator's own network, and be spoken to without TLS. */
  allowPrivate: boolean;
  /** Sent as `user-agent`. */
  version: string;
}

const PATIENCE_MS = 10_000;
/** What is kept of an answer; the rest is not read. */
const ANSWER_BYTES = 1024;

class NotPublicError extends Error {
  override name = 'NotPublicError';
}

/** Posts to programs of sellers, and to what they call push services: anybody may have chosen the addresses. */
export function createPostHook({ allowPrivate, version }: Options): PostHook {
  return async (address, { headers, body }) => {
    const url = new URL(address);
    // A literal address is connected to without being looked up.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (!allowPrivate && isIP(literal) !== 0 && !isPublic(literal)) return refused(literal);
    const options: RequestOptions = {
      method: 'POST',
      // One connection each, so that each was looked up by this.
      agent: false,
      headers: {
        'content-type': 'application/json',
        ...headers,
        'content-length': Buffer.byteLength(body),
        'user-agent': `Padlink/${version}`,
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(!allowPrivate && { lookup: lookUpPublic }),
    };
    try {
      return await send(url, options, body);
    } catch (error) {
      return { status: null, answer: explain(error) };
    }
  };
}

function send(url: URL, options: RequestOptions, body: string | Uint8Array): Promise<HookAnswer> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const sent = request(url, options, (response) => {
      readStart(response).then(
        (answer) => resolve({ status: response.statusCode ?? null, answer }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length >= ANSWER_BYTES) break;
  }
  const start = Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString();
  // PostgreSQL stores no NUL.
  return start.replaceAll('\0', '\uFFFD');
}

/**
 * Looks a name up for a connection, and refuses one of which any address is not public: what was
 * looked up here is what is connected to, whatever the name stands for a moment later.
 */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const inner = addresses.find(({ address }) => !isPublic(address));
    if (inner) return callback(new NotPublicError(inner.address), []);
    const [first] = addresses;
    if (options.all || !first) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};

/** Addresses of the internet that are handed out, none of which reaches another within. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Loopback, private, link-local, shared, multicast, translated and reserved addresses are not. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

function explain(error: unknown): string {
  if (error instanceof NotPublicError) return refused(error.message).answer;
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return keepFact(
      fact('There was no answer within {count} seconds.', { count: PATIENCE_MS / 1000 }),
    );
  }
  // A name with several addresses: each of which failed.
  const causes = error instanceof AggregateError ? error.errors : [error];
  const why = causes.map(({ message }: Error) => message).join('; ');
  return keepFact(fact('The connection failed: {why}', { why: why.slice(0, ANSWER_BYTES) }));
}

const refused = (address: string): HookAnswer => ({
  status: null,
  answer: keepFact(
    fact('Nothing was sent, because {address} is not a public address.', { address }),
  ),
});
