import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadyAnswer } from '../http/early-answers.ts';
import { isKnownEtag } from '../http/etag.ts';
import { ByteBoundedMap } from '../lib/byte-bounded-map.ts';
import { GUEST } from '../lib/viewer.ts';
import { compress, type PageRenderer, type PageRequest, takesBrotli } from './render-page.ts';

interface KeptPage {
  status: number;
  body: Buffer;
  /** The same in brotli, made when first asked for. */
  brotli?: Promise<Buffer>;
  /** As they are sent before a request is routed. */
  ready: { plain: ReadyAnswer; brotli?: ReadyAnswer };
  etag: string;
  headers: Record<string, string>;
  /** The pattern of its route. */
  route: string | null;
  /** What the page was rendered from; a newer version makes it stale. */
  version: number;
  /** When the version was last compared, ms. */
  checkedAt: number;
}

/** How long a page is served without checking the link's version in the database. */
const FRESH_MS = 1_000;
/** Above a thousand pages. */
const CAPACITY_BYTES = 80 * 1024 * 1024;
/** A page is kept in brotli too, which takes less than a quarter of it. */
const WITH_BROTLI = 1.25;
const ENCODED = { 'content-encoding': 'br' };

/**
 * Documents as every guest sees them. Nothing that depends on the viewer may be put here: callers
 * check for the absence of session and claim cookies first.
 */
export class PageCache {
  readonly #pages = new ByteBoundedMap<KeptPage>(CAPACITY_BYTES);

  get(path: string): KeptPage | undefined {
    return this.#pages.get(path);
  }

  put(path: string, page: Omit<KeptPage, 'etag' | 'ready'>): KeptPage {
    const etag = etagOf(page.body);
    const headers = { ...page.headers, etag };
    const ready = { plain: readyAnswer({ ...page, headers }, page.body) };
    const kept = { ...page, etag, headers, ready };
    this.#pages.set(path, kept, page.body.length * WITH_BROTLI);
    return kept;
  }

  delete(path: string): void {
    this.#pages.delete(path);
  }

  /** Makes the next request of each page below a path compare its version. */
  recheck(below: string): void {
    for (const [path, page] of this.#pages.entries()) {
      if (path.startsWith(below)) page.checkedAt = 0;
    }
  }

  clear(): void {
    this.#pages.clear();
  }
}

/** Weak: the same page has two encodings. */
function etagOf(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

function readyAnswer(
  { status, headers, route }: Pick<KeptPage, 'status' | 'headers' | 'route'>,
  body: Buffer,
  encoding: Record<string, string> = {},
): ReadyAnswer {
  const length = { 'content-length': String(body.length) };
  const all = { ...headers, ...encoding, ...length, 'x-request-id': '' };
  return { status, route, headers: Object.entries(all).flat(), body };
}

export interface KeptPageContext {
  renderer: PageRenderer;
  cache: PageCache;
  /** Parts of cookie names that make a viewer differ from every other guest. */
  personalCookies: string[];
  /** Off in development, where the sources change. */
  keepPages: boolean;
  now: () => number;
}

interface Keeping {
  /** Under which it is kept: a page asked for in another spelling is rendered for each who asks. */
  path: string;
  /** The version of what the page shows; null when it must not be kept. */
  readVersion(): Promise<number | null>;
}

/** Sends a page that is the same for every guest from memory, and renders it for all others. */
export async function sendKeptPage(
  { renderer, cache, personalCookies, keepPages, now }: KeptPageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageRequest,
  { path, readVersion }: Keeping,
): Promise<FastifyReply> {
  if (!keepPages || request.url !== path || !isGuest(request, personalCookies)) {
    return renderer.send(request, reply, page);
  }
  const kept = (await findKept(cache, { path, readVersion }, now())) ?? (await keep());
  if (!kept) return renderer.send(request, reply, page);
  reply.headers(kept.headers);
  if (isKnownEtag(request.headers['if-none-match'], kept.etag)) return reply.status(304).send();
  if (!takesBrotli(request.headers['accept-encoding'])) {
    return reply.status(kept.status).send(kept.body);
  }
  kept.brotli ??= compress(kept.body, 'kept').then(
    (body) => {
      kept.ready.brotli = readyAnswer(kept, body, ENCODED);
      return body;
    },
    (error: unknown) => {
      delete kept.brotli;
      throw error;
    },
  );
  return reply
    .status(kept.status)
    .headers(ENCODED)
    .send(await kept.brotli);

  async function keep(): Promise<KeptPage | null> {
    // Read before the page is rendered: a change in between makes the page stale, never lasting.
    const version = await readVersion();
    if (version === null) return null;
    const { status, body, robots } = await renderer.render(request, page, GUEST);
    // What failed now may be mended by the next request.
    if (status >= 500) return null;
    const headers = {
      ...renderer.headers(page.name),
      'cache-control': 'private, no-cache',
      vary: 'cookie, accept-encoding',
      ...(robots && { 'x-robots-tag': robots }),
    };
    const route = request.routeOptions.url ?? null;
    return cache.put(path, { status, body, headers, route, version, checkedAt: now() });
  }
}

/** What is kept for a guest who has nothing of it yet, as long as its version need not be compared. */
export function findReady(
  { cache, personalCookies, now }: KeptPageContext,
  request: FastifyRequest['raw'],
): ReadyAnswer | undefined {
  const kept = cache.get(request.url ?? '');
  if (!kept || now() - kept.checkedAt >= FRESH_MS) return undefined;
  if (request.headers['if-none-match'] !== undefined) return undefined;
  if (!isGuest(request, personalCookies)) return undefined;
  return takesBrotli(request.headers['accept-encoding']) ? kept.ready.brotli : kept.ready.plain;
}

async function findKept(
  cache: PageCache,
  { path, readVersion }: Keeping,
  now: number,
): Promise<KeptPage | undefined> {
  const kept = cache.get(path);
  if (!kept || now - kept.checkedAt < FRESH_MS) return kept;
  if ((await readVersion()) !== kept.version) return undefined;
  kept.checkedAt = now;
  return kept;
}

/** Whether nothing about a request makes its pages differ from every other guest's. */
export function isGuest(
  { headers }: Pick<FastifyRequest['raw'], 'headers'>,
  personalCookies: string[],
): boolean {
  if (headers.authorization !== undefined) return false;
  const { cookie } = headers;
  return cookie === undefined || !personalCookies.some((name) => cookie.includes(name));
}
