import { type Fact, fact } from './fact.ts';

/** The orders in which lists of links come; the first is the usual one. */
export const LINK_SORTS = ['newest', 'oldest', 'cheapest', 'dearest'] as const;

export type LinkSort = (typeof LINK_SORTS)[number];

/** The same of sales, which have no use for the cheapest first. */
export const SALE_SORTS = ['newest', 'oldest', 'dearest'] as const satisfies LinkSort[];

export type SaleSort = (typeof SALE_SORTS)[number];

/** What a link costs: "$4.99", "From $2.00" or "Name your price" where buyers name it, "Free". */
export function priceOf(link: { price: number; least: number | null; free: boolean }): Fact {
  if (link.least === 0) return fact('Name your price');
  if (link.free) return fact('Free');
  return link.least === null
    ? fact('{price}', { price: { cents: link.price, alone: true } })
    : fact('From {price}', { price: { cents: link.least, alone: true } });
}

const BOW = 'M18 4a16 16 0 1 1 0 32a16 16 0 1 1 0-32Z';
const HOLE = 'M10.5 15.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9Z';

/** Where the cuts are, in units of the drawing: from the tip back to the shoulder. */
const BLADE = { tip: 91, pitch: 6.5, flat: 3, uncut: 31, deepest: 20 };

/**
 * The outline of a link's own key as SVG path data for a view box of 100 by 40.
 * @param id eight hexadecimal digits: each is the depth of one cut
 */
export function cutKey(id: string): string {
  const { tip, pitch, flat, uncut, deepest } = BLADE;
  const cuts = [...id].map((digit, position) => {
    const depth = Number.parseInt(digit, 16) / 15;
    const y = Math.round((uncut - depth * (uncut - deepest)) * 10) / 10;
    return `L${tip - position * pitch} ${y}h-${flat}`;
  });
  return `${BOW}${HOLE}M30 12.5H91l5 5.5${cuts.join('')}L38 31H30Z`;
}

/** A file's name without its folders: "track1/mix.txt" -> "mix.txt". */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folders that a file lies in: "track1/mix.txt" -> "track1/". */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** What browsers show or play by themselves, and cannot act as a page: HTML, SVG and XML could. */
const SHOWN_BY_BROWSERS = new Set([
  ...['application/pdf'],
  ...['audio/flac', 'audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav'],
  ...['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
  ...['video/mp4', 'video/ogg', 'video/webm'],
]);

/** Whether a file may be opened in the browser beside being downloaded. */
export function isShownByBrowsers(mediaType: string): boolean {
  return SHOWN_BY_BROWSERS.has(mediaType);
}

/**
 * Set by a page when it requests content, and cleared by the server's response that delivers a
 * file: browsers give a page no other way to learn that a download has started. A web address
 * leaves the page.
 */
export const OPENING_COOKIE = 'padlink_opening';
