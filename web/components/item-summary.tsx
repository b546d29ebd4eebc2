import { describeMedia } from '../data/describe-media.ts';
import { formatBytes, formatPrice } from '../data/format.ts';
import { FileIcon, GlobeIcon } from './icons.tsx';

interface Item {
  type: string;
  title: string | null;
  /** Cents. */
  price: number;
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
      {link.title && <p className="text-lg leading-snug font-semibold">{link.title}</p>}
      <div className="flex items-center justify-between gap-3">
        <p className="flex items-center gap-1.5 py-1 text-sm text-muted">
          <KindIcon className="size-5 shrink-0" />
          {kind}
          {link.size !== null && `, ${formatBytes(link.size)}`}
        </p>
        <p className="text-3xl font-semibold tracking-tight tabular-nums">
          {formatPrice(link.price)}
        </p>
      </div>
    </div>
  );
}
