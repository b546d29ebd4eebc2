import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Spoken } from '../../../contract/languages.ts';
import { ByteBoundedMap } from '../../ground/lib/byte-bounded-map.ts';
import type { Changes } from '../../ground/lib/changes.ts';
import { GUEST } from '../../ground/lib/viewer.ts';
import type { ReadyAnswer } from '../http/early-answers.ts';
import { etagOf, isKnownEtag } from '../http/etag.ts';
import {
  compress,
  keepDocument,
  type PageRenderer,
  type PageRequest,
  takes,
} from './render-page.ts';
import { sourceOfReferrer } from './visit-source.ts';

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
  /** Tells the version now, where nothing else about its address may have changed. */
  readVersion?: Keeping['readVersion'] | undefined;
  /** When the version was last compared, ms. */
  checkedAt: number;
}

/** How long a page is served without checking the link's version in the database. */
const FRESH_MS = 1_000;
/** Above a thousand pages. */
const CAPACITY_BYTES = 80 * 1024 * 1024;
/** A page is kept in brotli too, which takes less than a quarter of it. */
const WITH_BROTLI = 1.25;
/** A link's page for those who come from nowhere known, and from the first of many places. */
const MAX_KEPT_OF_PATH = 8;
const ENCODED = { 'content-encoding': 'br' };

interface KeptKey {
  path: string;
  language: Spoken;
  /** Where visitors of the page come from, which it hands on; `direct` on every other page. */
  from: string;
}

/**
 * Documents as every guest sees them. Nothing that depends on the viewer may be put here: callers
 * check for the absence of session and claim cookies first.
 */
export class PageCache {
  /** By path, and then by language and by where visitors come from. */
  readonly #pages = new ByteBoundedMap<Map<string, KeptPage>>(CAPACITY_BYTES);
  /** How often all were forgotten: what was rendered before is not to be kept after it. */
  clearings = 0;

  get(key: KeptKey): KeptPage | undefined {
    return this.#pages.get(key.path)?.get(variantOf(key));
  }

  /** What strangers say of where they come from takes little of what is kept. */
  hasRoom(key: KeptKey): boolean {
    const ofPath = this.#pages.get(key.path);
    const isKnown = key.from === 'direct' || !ofPath || ofPath.has(variantOf(key));
    return isKnown || ofPath.size < MAX_KEPT_OF_PATH;
  }

  put(key: KeptKey, page: Omit<KeptPage, 'etag' | 'ready'>): KeptPage {
    // Weak: the same page has two encodings.
    const etag = `W/${etagOf(page.body)}`;
    const headers = { ...page.headers, etag };
    const ready = { plain: readyAnswer({ ...page, headers }, page.body) };
    const kept = { ...page, etag, headers, ready };
    const ofPath = new Map(this.#pages.get(key.path)).set(variantOf(key), kept);
    const bytes = [...ofPath.values()].reduce((sum, { body }) => sum + body.length, 0);
    this.#pages.set(key.path, ofPath, bytes * WITH_BROTLI);
    return kept;
  }

  delete(path: string): void {
    this.#pages.delete(path);
  }

  /** Makes the next request of each page below a path compare its version. */
  recheck(below: string): void {
    for (const [path, ofPath] of this.#pages.entries()) {
      if (!path.startsWith(below)) continue;
      for (const page of ofPath.values()) page.checkedAt = 0;
    }
  }

  clear(): void {
    this.clearings += 1;
    this.#pages.clear();
  }
}

const variantOf = ({ language, from }: KeptKey) =>
  language === 'en' ? from : `${language} ${from}`;

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
  /** Of this site. */
  origin: string;
  /** Off in development, where the sources change. */
  keepPages: boolean;
  now: () => number;
}

/** The pages that change with their links are forgotten as they change. */
export function keepByChanges(changes: Changes): PageCache {
  const cache = new PageCache();
  changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'seller-changed') cache.recheck('/');
      else {
        cache.delete(`/p/${id}`);
        // Which of them show the link is not known here: each compares what it shows.
        if (kind.startsWith('link-')) cache.recheck('/s/');
      }
    },
    missed: () => cache.clear(),
  });
  return cache;
}

interface Keeping {
  /** Under which it is kept: a page asked for in another spelling is rendered for each who asks. */
  path: string;
  /** Where its visitor comes from, of pages that hand it on. */
  from?: string;
  /** The version of what the page shows; null when it must not be kept. */
  readVersion(): Promise<number | null>;
  /** Whether the version is all that the route asks for before it sends the page. */
  isVersionAll?: boolean;
}

/** Sends a page that is the same for every guest from memory, and renders it for all others. */
export async function sendKeptPage(
  { renderer, cache, personalCookies, keepPages, now }: KeptPageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageRequest,
  { path, from = 'direct', readVersion, isVersionAll = false }: Keeping,
): Promise<FastifyReply> {
  const key = { path, from, language: renderer.languageOf(request.headers) };
  const isSame =
    request.url.split('?', 1)[0] === path && renderer.ignores(page.name, request.query);
  if (!keepPages || !isSame || !isGuest(request, personalCookies)) {
    return renderer.send(request, reply, page);
  }
  const known = cache.get(key);
  const at = now();
  const isStale = !known || !(isFresh(known, at) || (await isCurrent(known, readVersion, at)));
  const kept = isStale ? cache.hasRoom(key) && (await keep()) : known;
  if (!kept) return renderer.send(request, reply, page);
  reply.headers(kept.headers);
  if (isKnownEtag(request.headers['if-none-match'], kept.etag)) return reply.status(304).send();
  if (!takes('br', request.headers['accept-encoding'])) {
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
    const { clearings } = cache;
    // Read before the page is rendered: a change in between makes the page stale, never lasting.
    const version = await readVersion();
    if (version === null) return null;
    const { status, body, robots } = await renderer.render(request, page, GUEST);
    // What failed now may be mended by the next request.
    if (status >= 500 || cache.clearings !== clearings) return null;
    const headers = {
      ...renderer.headers(page.name),
      'cache-control': keepDocument('no-cache'),
      vary: 'cookie, accept-encoding, accept-language',
      ...(robots && { 'x-robots-tag': robots }),
    };
    const route = request.routeOptions.url ?? null;
    return cache.put(key, {
      status,
      body,
      headers,
      route,
      version,
      checkedAt: now(),
      readVersion: isVersionAll ? readVersion : undefined,
    });
  }
}

/** What is kept for a guest who has nothing of it yet. */
export function findReady(
  { renderer, cache, personalCookies, origin, now }: KeptPageContext,
  request: FastifyRequest['raw'],
): ReadyAnswer | undefined | Promise<ReadyAnswer | undefined> {
  const path = request.url ?? '';
  const { referer } = request.headers;
  const handsOn = referer !== undefined && path.startsWith('/p/');
  const from = handsOn ? sourceOfReferrer(referer, origin) : 'direct';
  const kept = cache.get({ path, from, language: renderer.languageOf(request.headers) });
  if (!kept || request.headers['if-none-match'] !== undefined) return undefined;
  if (!isGuest(request, personalCookies)) return undefined;
  const isBrotli = takes('br', request.headers['accept-encoding']);
  const ready = isBrotli ? kept.ready.brotli : kept.ready.plain;
  const at = now();
  if (isFresh(kept, at)) return ready;
  if (!kept.readVersion) return undefined;
  return isCurrent(kept, kept.readVersion, at).then((is) => (is ? ready : undefined));
}

const isFresh = ({ checkedAt }: KeptPage, now: number) => now - checkedAt < FRESH_MS;

async function isCurrent(
  kept: KeptPage,
  readVersion: Keeping['readVersion'],
  now: number,
): Promise<boolean> {
  if ((await readVersion()) !== kept.version) return false;
  kept.checkedAt = now;
  return true;
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
