/** Checks the right to the content and leads to it; also without JavaScript. */
export function contentAddress(id: string, file = 0): string {
  return file === 0 ? `/p/${id}/content` : `/p/${id}/content?file=${file}`;
}

export function paywallAddress(origin: string, id: string): string {
  return `${origin}/p/${id}`;
}

/** Where to go after signing in: a path of this site, never another one. */
export function safeNextPath(next: string | undefined): string {
  // As a browser reads it: '//host', '/\host' and '/<tab>/host' are other sites.
  const base = 'http://here.invalid';
  const url = next?.startsWith('/') && URL.canParse(next, base) ? new URL(next, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/dashboard';
  return url.pathname + url.search + url.hash;
}
