/**
 * Whether If-None-Match names this entity tag. Weak comparison (RFC 9110 §13.1.2): proxies weaken
 * the tags of what they compress, and clients may name several.
 */
export function isKnownEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const known = header.split(',').map((tag) => opaque(tag.trim()));
  return known.includes('*') || known.includes(opaque(etag));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');
