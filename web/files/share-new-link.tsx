import { useState } from 'react';
import { ExploreCard } from '../catalog/listing/explore-card.tsx';
import { say } from '../languages/say.ts';
import { SharePanel } from '../selling/sharing/share-panel.tsx';
import { CoverButton } from '../ui/cover-button.tsx';
import type { MadeLink } from './use-new-link.ts';

export interface ShareNewLinkProps extends Pick<MadeLink, 'link'> {
  /** The paywall page's full address. */
  address: string;
}

/** A new link as others will see it, with every way to share it. */
export function ShareNewLink({ link, address }: ShareNewLinkProps) {
  const [cover, setCover] = useState(link.cover);
  return (
    <SharePanel address={address} title={link.title}>
      <div className="my-6 flex flex-wrap gap-5 rounded-card bg-well p-5">
        <ul className="w-full sm:w-60">
          <ExploreCard link={{ ...link, cover }} tone={undefined} />
        </ul>
        <div className="flex min-w-0 flex-1 basis-40 flex-col items-start gap-3">
          <p className="text-muted">{say('This is how others see it.')}</p>
          <CoverButton cover={cover} id={link.id} onChanged={setCover} />
          <a
            className="button button-secondary button-small"
            href={`/p/${link.id}?preview=buyer`}
            rel="noopener"
            target="_blank"
          >
            {say('See it as a buyer')}
          </a>
        </div>
      </div>
    </SharePanel>
  );
}
