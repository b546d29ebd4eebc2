import { createHash } from 'node:crypto';
import { ByteBoundedMap } from '../byte-bounded-map.ts';

export interface KeptPage {
  status: number;
  body: Buffer;
  /** The same in brotli, made when first asked for. */
  brotli?: Promise<Buffer>;
  etag: string;
  robots: string | undefined;
  /** What the page was rendered from; a newer version makes it stale. */
  version: number;
  /** When the version was last compared, ms. */
  checkedAt: number;
}

/** For this long a page is served without asking the database for the link's version. */
export const FRESH_MS = 1_000;
/** Above a thousand pages. */
const CAPACITY_BYTES = 80 * 1024 * 1024;
/** A page is kept in brotli too, which takes less than a quarter of it. */
const WITH_BROTLI = 1.25;

/**
 * Documents as every guest sees them. Nothing that depends on who asks may be put here:
 * callers check for the absence of session and claim cookies first.
 */
export class PageCache {
  readonly #pages = new ByteBoundedMap<KeptPage>(CAPACITY_BYTES);

  get(path: string): KeptPage | undefined {
    return this.#pages.get(path);
  }

  put(path: string, page: Omit<KeptPage, 'etag'>): KeptPage {
    const kept = { ...page, etag: etagOf(page.body) };
    this.#pages.set(path, kept, page.body.length * WITH_BROTLI);
    return kept;
  }

  delete(path: string): void {
    this.#pages.delete(path);
  }

  /** Makes the next request of each page compare its version. */
  recheck(): void {
    for (const page of this.#pages.values()) page.checkedAt = 0;
  }

  clear(): void {
    this.#pages.clear();
  }
}

/** Weak: the same page has two encodings. */
function etagOf(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}
