import type { FastifyReply, FastifyRequest } from 'fastify';
import { GUEST } from '../find-viewer.ts';
import { isKnownEtag } from '../is-known-etag.ts';
import { compress, takesBrotli } from './compress.ts';
import { FRESH_MS, type KeptPage, type PageCache } from './page-cache.ts';
import type { PageRenderer, PageRequest } from './render-page.ts';

export interface KeptPageDeps {
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
  { renderer, cache, personalCookies, keepPages, now }: KeptPageDeps,
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
  reply.headers(renderer.headers).header('cache-control', 'private, no-cache');
  reply.header('vary', 'cookie, accept-encoding').header('etag', kept.etag);
  if (kept.robots) reply.header('x-robots-tag', kept.robots);
  if (isKnownEtag(request.headers['if-none-match'], kept.etag)) return reply.status(304).send();
  if (!takesBrotli(request.headers['accept-encoding'])) {
    return reply.status(kept.status).send(kept.body);
  }
  kept.brotli ??= compress(kept.body, 'kept').catch((error: unknown) => {
    delete kept.brotli;
    throw error;
  });
  return reply
    .status(kept.status)
    .header('content-encoding', 'br')
    .send(await kept.brotli);

  async function keep(): Promise<KeptPage | null> {
    // Read before the page is rendered: a change in between makes the page stale, never lasting.
    const version = await readVersion();
    if (version === null) return null;
    const { status, body, robots } = await renderer.render(request, page, GUEST);
    // What failed now may be mended by the next request.
    if (status >= 500) return null;
    return cache.put(path, { status, body, robots, version, checkedAt: now() });
  }
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
export function isGuest({ headers }: FastifyRequest, personalCookies: string[]): boolean {
  if (headers.authorization !== undefined) return false;
  const { cookie } = headers;
  return cookie === undefined || !personalCookies.some((name) => cookie.includes(name));
}
