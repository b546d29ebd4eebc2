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
      <KindIcon className="size-7 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {link.title && <p className="text-lg leading-snug font-semibold">{link.title}</p>}
        <p className={link.title ? 'mt-0.5 text-sm text-muted' : 'font-medium'}>
          {kind}
          {link.size !== null && `, ${formatBytes(link.size)}`}
        </p>
      </div>
      <p className="text-3xl font-semibold tracking-tight tabular-nums">
        {formatPrice(link.price)}
      </p>
    </div>
  );
}
