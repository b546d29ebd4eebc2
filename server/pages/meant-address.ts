/** Also with what a mail program or a sentence leaves at the end: a full stop, a bracket, a quote. */
const BENT_LINK = /^\/p\/([\da-f]{8})(?:\p{P}|%[\da-f]{2})*$/iu;

/**
 * The address that was meant by one that people or their programs have bent: `/p/1A2B3C4D.` is
 * `/p/1a2b3c4d`, and `/explore/` is `/explore`.
 * @param url a path, with or without a query
 * @returns null where it is as it should be, or nothing of this site
 */
export function meantAddress(url: string): string | null {
  const [path = ''] = url.split('?', 1);
  const meant = path
    .replace(/\/+$/, '')
    .replace(BENT_LINK, (_, id: string) => `/p/${id.toLowerCase()}`);
  // What begins with two slashes would lead to another site.
  if (meant === path || !/^\/[^/\\]/.test(meant)) return null;
  return meant + url.slice(path.length);
}
