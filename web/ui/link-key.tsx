import { cutKey, priceOf } from '../../contract/links.ts';
import { tell } from '../languages/say.ts';

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
