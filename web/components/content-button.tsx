import type { MouseEvent, ReactNode } from 'react';

interface ContentButtonProps {
  href: string;
  busy: boolean;
  onPress(event: MouseEvent): void;
  children: ReactNode;
}

/**
 * The button that leads to unlocked content. What is sold may be on another site, where browsers
 * let no form lead: so it is an address, pressed like a button.
 */
export function ContentButton({ href, busy, onPress, children }: ContentButtonProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button would need the form.
    <a
      aria-busy={busy}
      aria-disabled={busy}
      className="button button-primary w-full text-lg"
      href={href}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        event.currentTarget.click();
      }}
      role="button"
    >
      {children}
    </a>
  );
}
