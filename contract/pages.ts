/** What a page may weigh, in bytes sent to a browser that accepts brotli. */
interface PageWeight {
  /** Everything it loads by itself, the live connection included; 0 for a page without behavior. */
  scripts: number;
  /** The document with its styles inside; lists with fifty entries. */
  document: number;
}

/**
 * Every page, with limits that are at most a twentieth above what it weighed when they were last
 * looked at.
 */
export const PAGE_WEIGHTS = {
  landing: { scripts: 69_100, document: 11_700 },
  login: { scripts: 75_500, document: 10_150 },
  dashboard: { scripts: 82_600, document: 18_850 },
  upload: { scripts: 83_000, document: 12_550 },
  account: { scripts: 82_700, document: 13_350 },
  webhooks: { scripts: 75_200, document: 17_700 },
  paywall: { scripts: 74_000, document: 12_350 },
  explore: { scripts: 72_100, document: 14_250 },
  seller: { scripts: 0, document: 13_000 },
  cart: { scripts: 0, document: 10_800 },
  success: { scripts: 72_000, document: 10_650 },
  failed: { scripts: 0, document: 8_500 },
  terms: { scripts: 0, document: 10_150 },
  privacy: { scripts: 0, document: 10_900 },
  access: { scripts: 0, document: 8_800 },
  sales: { scripts: 73_000, document: 13_900 },
  money: { scripts: 76_400, document: 13_500 },
  codes: { scripts: 75_000, document: 14_000 },
  licenses: { scripts: 75_500, document: 14_000 },
  bundle: { scripts: 73_500, document: 14_000 },
  choices: { scripts: 73_500, document: 12_500 },
  sources: { scripts: 0, document: 12_000 },
  operator: { scripts: 75_000, document: 13_500 },
  'operator-acts': { scripts: 0, document: 13_500 },
  'operator-links': { scripts: 74_000, document: 15_100 },
  'operator-reports': { scripts: 74_000, document: 12_000 },
  'operator-sellers': { scripts: 74_000, document: 12_100 },
  'operator-purchases': { scripts: 75_000, document: 13_500 },
  'operator-setup': { scripts: 75_500, document: 10_500 },
  'operator-undelivered': { scripts: 74_000, document: 13_000 },
  purchases: { scripts: 71_100, document: 13_550 },
  verify: { scripts: 75_000, document: 10_000 },
  mailbox: { scripts: 68_500, document: 10_300 },
  offline: { scripts: 0, document: 7_800 },
  report: { scripts: 0, document: 9_500 },
  'taken-down': { scripts: 0, document: 8_700 },
  'not-found': { scripts: 0, document: 8_600 },
  error: { scripts: 0, document: 8_700 },
} as const satisfies Record<string, PageWeight>;

export type PageName = keyof typeof PAGE_WEIGHTS;
export const PAGE_NAMES = Object.keys(PAGE_WEIGHTS) as PageName[];

/** The style sheet that each page has its part of, as brotli, and the fonts. */
export const STYLES_WEIGHT = 11_400;
export const FONTS_WEIGHT = 35_000;
