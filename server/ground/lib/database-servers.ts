const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * The addresses of each server that an address names, separated by commas as libpq reads them:
 * `postgres://user@one:5432,two:5432/database`.
 */
export function listServers(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = HOSTS.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  const named = URL.parse(`${before}host${after}`);
  if (!named) return [url];
  // All that is read from the address is of every server; this is for choosing one.
  named.searchParams.delete('target_session_attrs');
  return hosts.split(',').map((host) => `${before}${host}${named.pathname}${named.search}`);
}
