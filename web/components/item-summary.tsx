import { nameLink } from '../../contract/name-link.ts';
import { describeMedia } from '../data/describe-media.ts';
import { formatBytes } from '../data/format.ts';
import { FileIcon, GlobeIcon } from './icons.tsx';
import { LinkPrice } from './link-price.tsx';

interface Item {
  id: string;
  type: string;
  title: string | null;
  /** Cents. */
  price: number;
  free: boolean;
  /** Bytes; null for a web address. */
  size: number | null;
  mediaType: string | null;
}

/** What is for sale and what it costs. */
export function ItemSummary({ link }: { link: Item }) {
  const KindIcon = link.type === 'link' ? GlobeIcon : FileIcon;
  const kind = link.type === 'link' ? 'Web address' : describeMedia(link.mediaType);
  return (
    <div className="item-summary">
      <p className="text-lg leading-snug font-semibold">{nameLink(link)}</p>
      <div className="flex items-center justify-between gap-3">
        <p className="flex items-center gap-1.5 py-1 text-sm text-muted">
          <KindIcon className="size-5 shrink-0" />
          {kind}
          {link.size !== null && `, ${formatBytes(link.size)}`}
        </p>
        <p className="text-3xl font-semibold tracking-tight tabular-nums">
          <LinkPrice link={link} />
        </p>
      </div>
    </div>
  );
}
