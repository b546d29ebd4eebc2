const HOST_FIRST = /^[^\s/:@?#]+\.[^\s/:@?#]+(:\d+)?([/?#]|$)/;

/** example.com/course -> https://example.com/course; anything else as it was typed. */
export function completeUrl(typed: string): string {
  const url = typed.trim();
  return HOST_FIRST.test(url) ? `https://${url}` : url;
}
