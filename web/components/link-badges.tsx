/** What sets a link apart from others in a list. */
export function LinkBadges({ link }: { link: { paused: boolean } }) {
  if (!link.paused) return null;
  return <span className="badge">Paused</span>;
}
