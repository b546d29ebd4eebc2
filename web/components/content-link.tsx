import type { ReactNode } from 'react';
import { openContent, useOpening } from '../data/open-content.ts';

interface ContentLinkProps {
  /** A `contentAddress`. */
  address: string;
  className: string;
  /** What it shows, and what instead until the content begins to arrive. */
  children: ReactNode;
  opening: ReactNode;
}

/** Leads to unlocked content, and says that it comes until it does. */
export function ContentLink({ address, className, children, opening }: ContentLinkProps) {
  const isOpening = useOpening() === address;
  return (
    <a
      aria-busy={isOpening}
      aria-disabled={isOpening}
      className={className}
      href={address}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        openContent(address);
      }}
    >
      {isOpening ? opening : children}
    </a>
  );
}
