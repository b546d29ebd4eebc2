import type { PaywallLink } from '../../data/paywall-link.ts';
import { LinkKey, STRAY_KEY } from '../link-key.tsx';

/**
 * The cover that the creator chose, or the link's own key; a key that fits nothing where there is no
 * link. Words beside it carry the meaning.
 */
export function ItemPicture({ link }: { link: PaywallLink | null }) {
  return (
    <div className="paywall-picture">
      {link?.cover ? (
        <img
          alt=""
          data-wide={link.cover.width > link.cover.height}
          fetchPriority="high"
          height={link.cover.height}
          src={link.cover.url}
          width={link.cover.width}
        />
      ) : (
        <LinkKey
          className="w-40 sm:w-52"
          held={link?.unlocked ?? false}
          id={link?.id ?? STRAY_KEY}
        />
      )}
    </div>
  );
}
