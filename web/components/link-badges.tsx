import type { LinkItem } from '../data/link-pages.ts';

/** What sets a link apart from others in a list. */
export function LinkBadges({ link }: { link: LinkItem }) {
  if (!link.paused) return null;
  return <span className="badge">Paused</span>;
}
