import { cutKey, priceOf } from '../../contract/links.ts';
import { tell } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';

/** Stands where there is nothing. */
export const STRAY_KEY = '404f0404';

interface LinkKeyProps {
  id: string;
  /** Brass, for who has the content. */
  held?: boolean;
  className?: string;
}

/**
 * A link's own key, cut from its address, so that links are told apart at a glance. Decoration: an
 * address is no secret, and words beside it carry the meaning.
 */
export function LinkKey({ id, held = false, className = '' }: LinkKeyProps) {
  return (
    <svg
      aria-hidden="true"
      className={`link-key ${className}`}
      data-held={held}
      focusable="false"
      viewBox="0 0 100 40"
    >
      <path d={cutKey(id)} />
      <path className="link-key-groove" d="M41 16.5H87" />
    </svg>
  );
}

/** What a visitor pays for a link: nothing where its creator made it free. */
export function LinkPrice({ link }: { link: Parameters<typeof priceOf>[0] }) {
  return tell(priceOf(link));
}

interface SellerNameProps {
  seller?: string | null | undefined;
  sellerHandle?: string | null | undefined;
  sellerPicture?: { url: string } | null | undefined;
  className?: string;
}

/** Who sells a link, and the way to their page where they have one. */
export function SellerName({ seller, sellerHandle, sellerPicture, className }: SellerNameProps) {
  const name = seller ?? sellerHandle;
  if (!name) return null;
  return (
    <span className={className}>
      {sellerPicture && (
        <img
          alt=""
          className="mr-1.5 inline-block size-5 rounded-full object-cover align-text-bottom"
          height={20}
          loading="lazy"
          src={sellerPicture.url}
          width={20}
        />
      )}
      {sayWith('by {name}', {
        name: sellerHandle ? (
          <a className="text-link" href={`/s/${sellerHandle}`}>
            {name}
          </a>
        ) : (
          name
        ),
      })}
    </span>
  );
}
