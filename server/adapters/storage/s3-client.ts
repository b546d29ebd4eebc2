import { createHash } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import aws4 from 'aws4';
import { StorageFault } from '../../ground/lib/cannot-store.ts';

/** A bucket of S3-compatible storage, and who may use it. */
export interface Bucket {
  /** Origin. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Of the object; the bucket itself without. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /**
   * Of the body, in base64, where the caller knows it: signed in place of a SHA-256 hash, because a store
   * takes the MD5 hash of what it gets anyway, and compares.
   */
  md5?: string;
}

/** A request that somebody else may send, exactly so. */
export interface SignedRequest {
  url: string;
  headers: Record<string, string>;
}

const REMEDY =
  'the storage service fails or refuses: look at its state, and at the S3_ settings and the rights of their key';

/** What the store answered instead of what was asked. */
export class S3Error extends StorageFault {
  override name = 'S3Error';
  readonly status: number;
  /** As the store names it, such as NoSuchKey; ENOSPC and ENOENT as a disk would say it. */
  readonly code: string;

  constructor({ method, key = '' }: S3Request, status: number, code: string) {
    super(`The store answered ${status} ${code} to ${method} ${key}`, REMEDY);
    this.status = status;
    this.code = status === FULL ? 'ENOSPC' : code;
  }
}

const FULL = 507;

/** A store that says nothing for so long has failed, in milliseconds. */
const SILENCE_MS = 30_000;
/** Milliseconds before each further attempt. */
const RETRY_AFTER_MS = [100, 500, 2_000];

/** Speaks to one bucket, by its path below the endpoint, which every service understands. */
export function createS3Client(at: Bucket) {
  const { protocol, hostname, port, host, origin } = new URL(at.endpoint);
  const transport = protocol === 'https:' ? https : http;
  const agent = new transport.Agent({ keepAlive: true });

  const addressOf = ({ key, query }: S3Request) => {
    const path = key === undefined ? `/${at.bucket}` : `/${at.bucket}/${key}`;
    return query ? `${path}?${encodeQuery(query)}` : path;
  };
  const signedBy = { service: 's3', region: at.region, host };

  function signed(request: S3Request, { length, sha256 }: { length: number; sha256: string }) {
    const sent = request.method === 'PUT' || request.method === 'POST';
    const headers = {
      ...request.headers,
      ...(request.md5 && { 'content-md5': request.md5 }),
      ...(sent && { 'content-length': String(length) }),
      'x-amz-content-sha256': sha256,
    };
    const path = addressOf(request);
    return aws4.sign({ ...signedBy, method: request.method, path, headers }, at);
  }

  function attempt(request: S3Request): Promise<IncomingMessage> {
    const { body = NOTHING } = request;
    const { path, headers } = signed(request, {
      length: body.byteLength,
      sha256: request.md5 ? 'UNSIGNED-PAYLOAD' : hashOf(body),
    });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { method: request.method, hostname: unbracket(hostname), port, path, headers };
    const asked = transport.request({ ...options, agent }, resolve).on('error', reject);
    asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error(SILENT)));
    asked.end(body);
    return promise;
  }

  /** @throws StorageFault: S3Error for every answer but a good one, or what the network says */
  async function send(request: S3Request): Promise<IncomingMessage> {
    const response = await attempt(request).catch((cause: Error) => {
      throw new StorageFault(`The store does not answer: ${cause.message}`, REMEDY, { cause });
    });
    const { statusCode = 0 } = response;
    if (statusCode < 300) return response;
    const text = String(await buffer(response).catch(() => ''));
    throw new S3Error(request, statusCode, readTag(text, 'Code') ?? String(statusCode));
  }

  /** The answer, its body still to be read. Tries again what may be a passing fault. */
  async function open(request: S3Request): Promise<IncomingMessage> {
    for (const pause of RETRY_AFTER_MS) {
      try {
        return await send(request);
      } catch (error) {
        if (error instanceof S3Error && !isPassing(error.status)) throw error;
        await sleep(pause);
      }
    }
    return send(request);
  }

  return {
    open,
    /** The answer with its whole body, which is small. */
    async ask(request: S3Request) {
      const response = await open(request);
      return { headers: response.headers, body: await buffer(response) };
    },
    /** Signs a request whose body is known by its hash only. */
    sign(request: S3Request, body: { length: number; sha256: string }): SignedRequest {
      const { path, headers } = signed(request, body);
      // A browser says these by itself.
      const { Host: _host, 'content-length': _length, ...rest } = headers as Record<string, string>;
      return { url: `${origin}${path}`, headers: rest };
    },
    /** An address that reads an object for so many seconds. */
    addressFor(key: string, query: Record<string, string>, seconds: number): string {
      const path = addressOf({
        method: 'GET',
        key,
        query: { ...query, 'X-Amz-Expires': String(seconds) },
      });
      return `${origin}${aws4.sign({ ...signedBy, path, signQuery: true }, at).path}`;
    },
  };
}

const SILENT = `The store said nothing for ${SILENCE_MS / 1000} seconds`;
const NOTHING = new Uint8Array();

function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Busy, or broken for the moment. */
function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && status !== FULL && status !== 501);
}

function encodeQuery(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function unbracket(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The text of the first such element; null when there is none. */
export function readTag(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(?:quot|#34);/g, '"').replace(/&amp;/g, '&') ?? null;
}

/** The content of each such element. */
export function readElements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(
    ([, content = '']) => content,
  );
}
