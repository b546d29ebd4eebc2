import { cutKey } from '../data/cut-key.ts';

/**
 * A link's own key, cut from its address, so that links are told apart at a glance. Decoration: an
 * address is no secret, and words beside it carry the meaning.
 */
export function LinkKey({ id, className = '' }: { id: string; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={`link-key ${className}`}
      focusable="false"
      viewBox="0 0 100 40"
    >
      <path d={cutKey(id)} />
      <path className="link-key-groove" d="M41 16.5H87" />
    </svg>
  );
}
