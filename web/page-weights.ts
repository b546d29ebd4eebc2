import type { PageName } from '../contract/page-context.ts';

/** What a page may weigh, in bytes sent to a browser that accepts brotli. */
export interface PageWeight {
  /** Everything it loads by itself, the live connection included; 0 for a page without behavior. */
  scripts: number;
  /** The document with its styles inside; lists with fifty entries. */
  document: number;
}

/** A twentieth at most above what the pages weighed when this was last looked at. */
export const PAGE_WEIGHTS: Record<PageName, PageWeight> = {
  landing: { scripts: 71_000, document: 14_400 },
  login: { scripts: 77_000, document: 15_000 },
  dashboard: { scripts: 85_000, document: 21_100 },
  upload: { scripts: 92_000, document: 15_300 },
  account: { scripts: 79_000, document: 16_800 },
  paywall: { scripts: 80_000, document: 14_300 },
  explore: { scripts: 72_000, document: 17_500 },
  success: { scripts: 76_900, document: 15_400 },
  failed: { scripts: 0, document: 14_000 },
  terms: { scripts: 0, document: 14_800 },
  privacy: { scripts: 0, document: 14_900 },
  access: { scripts: 0, document: 14_100 },
  mailbox: { scripts: 70_000, document: 16_200 },
  offline: { scripts: 0, document: 12_700 },
  'not-found': { scripts: 0, document: 14_100 },
  error: { scripts: 0, document: 14_200 },
};

/** The style sheet of all pages, as brotli, and their fonts. */
export const STYLES_WEIGHT = 9_900;
export const FONTS_WEIGHT = 43_300;
