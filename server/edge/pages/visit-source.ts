import { campaignSource, hostSource, readSource } from '../../../contract/sources.ts';

const OWN_PAGES = [
  ['/explore', 'explore'],
  ['/s/', 'seller'],
] as const;

/** Where a visitor comes from, by what links of campaigns say, or the page that led here. */
export function sourceOfVisit(
  headers: { referer?: string | undefined },
  query: Record<string, unknown>,
  origin: string,
): string {
  const said = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const campaign = campaignSource([said('utm_source'), said('utm_medium'), said('utm_campaign')]);
  if (campaign) return campaign;
  if (query.from !== undefined) return readSource(query.from);
  return sourceOfReferrer(headers.referer, origin);
}

/** Only the host of another site is looked at: paths may say who somebody is. */
export function sourceOfReferrer(referrer: string | undefined, origin: string): string {
  if (!referrer || !URL.canParse(referrer)) return 'direct';
  const { host, hostname, pathname, protocol } = new URL(referrer);
  if (`${protocol}//${host}` !== origin) return hostSource(hostname) ?? 'other';
  const own = OWN_PAGES.find(([path]) => pathname === path || pathname.startsWith(path));
  return own?.[1] ?? 'site';
}
