/** Checks the right to the content and leads to it; also without JavaScript. */
export function contentAddress(id: string, file = 0): string {
  return file === 0 ? `/p/${id}/content` : `/p/${id}/content?file=${file}`;
}

export function paywallAddress(origin: string, id: string): string {
  return `${origin}/p/${id}`;
}

/** Where to go after signing in: a path of this site, never another one. */
export function safeNextPath(next: string | undefined): string {
  // A browser reads '//host' and '/\host' as another site.
  return next && /^\/(?![/\\])/.test(next) ? next : '/dashboard';
}
