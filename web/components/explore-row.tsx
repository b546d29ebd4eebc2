import { nameLink } from '../../contract/name-link.ts';
import { formatDay } from '../data/format.ts';
import type { LinkItem } from '../data/link-pages.ts';
import { FileIcon, GlobeIcon } from './icons.tsx';
import { LinkBadges } from './link-badges.tsx';
import { LinkPrice } from './link-price.tsx';

export function ExploreRow({ link }: { link: LinkItem }) {
  const KindIcon = link.type === 'link' ? GlobeIcon : FileIcon;
  return (
    <li>
      <a className="explore-row" href={`/p/${link.id}`}>
        <KindIcon className="size-6 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="row-title block truncate font-medium">{nameLink(link)}</span>
          <span className="block text-sm text-muted">
            {link.type === 'link' ? 'Web address' : 'File'},{' '}
            <time dateTime={link.createdAt}>{formatDay(link.createdAt)}</time>
          </span>
        </span>
        <LinkBadges link={link} />
        <span className="text-lg font-semibold tabular-nums">
          <LinkPrice link={link} />
        </span>
      </a>
    </li>
  );
}
