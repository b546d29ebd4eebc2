import { nameLink } from '../../../contract/name-link.ts';
import { describeMedia } from '../../data/describe-media.ts';
import { formatBytes } from '../../data/format.ts';
import type { ExploreItem } from '../../data/use-explore.ts';
import { LinkBadges } from '../link-badges.tsx';
import { LinkKey } from '../link-key.tsx';
import { LinkPrice } from '../link-price.tsx';

/** A link among others: a card where there is room, a row on a phone. */
export function ExploreCard({ link }: { link: ExploreItem }) {
  return (
    <li>
      <a className="explore-card card" href={`/p/${link.id}`}>
        <span className="explore-picture">
          {link.cover ? (
            <img
              alt=""
              height={link.cover.height}
              loading="lazy"
              src={link.cover.url}
              width={link.cover.width}
            />
          ) : (
            <LinkKey className="explore-key" id={link.id} />
          )}
        </span>
        <span className="explore-title">{nameLink(link)}</span>
        <span className="explore-facts">
          {link.seller && <span className="block truncate">by {link.seller}</span>}
          <span className="block">
            {link.type === 'link' ? 'Web address' : describeMedia(link.mediaType)}
            {link.size !== null && `, ${formatBytes(link.size)}`}
          </span>
        </span>
        <span className="explore-price">
          <span className="text-lg font-semibold tabular-nums">
            <LinkPrice link={link} />
          </span>
          <LinkBadges link={link} />
        </span>
      </a>
    </li>
  );
}
