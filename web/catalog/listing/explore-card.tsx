import type { ReactNode } from 'react';
import { describeMedia } from '../../../contract/describe-contents.ts';
import { say, tell } from '../../languages/say.ts';
import { nameLink, sayBytes } from '../../lib/format.ts';
import { LinkCover } from '../../ui/link-cover.tsx';
import { LinkPrice } from '../../ui/link-key.tsx';
import { SellerName } from '../../ui/seller-name.tsx';
import type { ExploreItem } from './explore-item.ts';

type SellerFields = 'seller' | 'sellerHandle' | 'sellerPicture';

interface ExploreCardProps {
  /** A seller's page names the seller once. */
  link: Omit<ExploreItem, SellerFields> & Partial<Pick<ExploreItem, SellerFields>>;
  /** Of its drawn cover. */
  tone: number | undefined;
  /** Below it. */
  children?: ReactNode;
}

/** A link among others: a card where there is room, a row on a phone. */
export function ExploreCard({ link, tone, children }: ExploreCardProps) {
  const { id, seller, sellerHandle, sellerPicture } = link;
  const name = nameLink(link);
  return (
    <li>
      <div className="explore-card card relative">
        <LinkCover className="explore-picture" face={link} id={id} title={name} tone={tone} />
        <span className="explore-title" dir="auto">
          {/* As high as what may be pressed has to be: it covers the card all the same. */}
          <a className="py-1" href={`/p/${id}`}>
            {name}
          </a>
        </span>
        <span className="explore-facts">
          <SellerName
            className="block wrap-anywhere"
            seller={seller}
            sellerHandle={sellerHandle}
            sellerPicture={sellerPicture}
          />
          <span className="block">
            {describeOffer(link)}
            {link.size !== null && `, ${sayBytes(link.size)}`}
          </span>
        </span>
        <span className="explore-price">
          <span className="text-lg font-semibold tabular-nums">
            <LinkPrice link={link} />
          </span>
          <LinkBadges link={link} />
        </span>
      </div>
      {children}
    </li>
  );
}

function describeOffer({
  type,
  fileCount,
  mediaType,
}: Pick<ExploreItem, 'type' | 'fileCount' | 'mediaType'>): string {
  if (type === 'link') return say('Web address');
  if (type === 'bundle') return say('Bundle');
  return fileCount > 1
    ? say('{count} files', { count: fileCount })
    : tell(describeMedia(mediaType));
}

/** What sets a link apart from others in a list. */
function LinkBadges({ link: { paused, left } }: { link: Pick<ExploreItem, 'paused' | 'left'> }) {
  if (paused) return <span className="badge">{say('Paused')}</span>;
  if (left === null) return null;
  return (
    <span className="badge">
      {left === 0 ? say('Sold out') : say('{count} left', { count: left })}
    </span>
  );
}
