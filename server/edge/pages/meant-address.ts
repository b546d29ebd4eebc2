import type { MethodsAt } from '../http/refuse-methods.ts';

/** What a mail program or a sentence leaves at the end: a full stop, a bracket, a quote, a space. */
const LEFT_AT_END = /[^\p{L}\p{M}\p{N}]+$/u;
const LINK = /^\/p\/[\da-f]{8}$/;
/** No page has a longer address; what is looked for in it would take too long. */
const MOST_LETTERS = 500;
/** What begins with two slashes would lead to another site, and other ids are those of no link. */
const PLAIN = /^\/(?!p\/[^/]*$)[\w.~%-][\w.~%/-]*$/;

/**
 * The address that was meant by one that people or their programs have bent: `/p/1A2B3C4D.` is
 * `/p/1a2b3c4d`, and `/explore/` is `/explore`.
 * @param url a path, with or without a query
 * @returns null where it is as it should be, or nothing of this site
 */
export function meantAddress(url: string, methodsAt: MethodsAt): string | null {
  const [path = ''] = url.split('?', 1);
  if (path.length > MOST_LETTERS) return null;
  const cleaned = decode(path).replace(LEFT_AT_END, '');
  const lower = cleaned.toLowerCase();
  const isTaken = (address: string) => methodsAt(address).includes('GET');
  // Where there is something, the case of tokens and names counts.
  const spelled = [path.replace(/\/+$/, ''), cleaned, ...(isTaken(path) ? [] : [lower])];
  const meant = LINK.test(lower)
    ? lower
    : spelled.find((address) => address !== path && PLAIN.test(address) && isTaken(address));
  return meant === undefined || meant === path ? null : meant + url.slice(path.length);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
