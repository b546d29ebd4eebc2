import { createHash } from 'node:crypto';

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
/** About 80 MB of pages. */
const CAPACITY = 2_000;

/**
 * Documents as every guest sees them. Nothing that depends on who asks may be put here:
 * callers check for the absence of session and claim cookies first.
 */
export class PageCache {
  readonly #pages = new Map<string, KeptPage>();

  get(key: string): KeptPage | undefined {
    return this.#pages.get(key);
  }

  put(key: string, page: Omit<KeptPage, 'etag'>): KeptPage {
    const kept = { ...page, etag: etagOf(page.body) };
    if (this.#pages.size >= CAPACITY) this.#pages.delete(this.#pages.keys().next().value as string);
    this.#pages.set(key, kept);
    return kept;
  }

  delete(key: string): void {
    this.#pages.delete(key);
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
