import { nameLink } from '../../../contract/name-link.ts';
import { describeMedia } from '../../data/describe-media.ts';
import { formatBytes } from '../../data/format.ts';
import type { PaywallLink } from '../../data/paywall-link.ts';
import { FileIcon, GlobeIcon } from '../icons.tsx';

/** What is for sale, and who sells it. */
export function ItemHead({ link }: { link: PaywallLink }) {
  const isAddress = link.type === 'link';
  const KindIcon = isAddress ? GlobeIcon : FileIcon;
  const name = nameLink(link);
  // A buyer's files may be others than those that are on sale by now.
  const files = link.files?.length ? link.files : null;
  const mediaType = files ? (files[0]?.mediaType ?? null) : link.mediaType;
  const size = files ? files.reduce((sum, file) => sum + file.size, 0) : link.size;
  return (
    <>
      <h2 className={`mt-1 ${name.length > 60 ? 'text-xl sm:text-2xl' : 'text-2xl sm:text-3xl'}`}>
        {name}
      </h2>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 text-sm text-muted">
        {link.seller && <span>by {link.seller}</span>}
        <span className="flex items-center gap-1.5">
          <KindIcon className="size-4.5 shrink-0" />
          {isAddress ? 'Web address' : describeMedia(mediaType)}
          {size !== null && `, ${formatBytes(size)}`}
        </span>
      </p>
    </>
  );
}
