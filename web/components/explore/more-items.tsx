import { type MouseEvent, useEffect, useRef } from 'react';

interface MoreItemsProps {
  /** The address of the following links. */
  href: string;
  failed: boolean;
  onMore(): void;
  /** What happens when the end of the list is near; null: nothing, until it is asked for. */
  onNear: (() => void) | null;
}

/** The way to the following links: a real page, or more of the list where JavaScript runs. */
export function MoreItems({ href, failed, onMore, onNear }: MoreItemsProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!link.current || !onNear) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        onNear();
      },
      { rootMargin: '600px' },
    );
    observer.observe(link.current);
    return () => observer.disconnect();
  }, [onNear]);

  function loadHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onMore();
  }

  return (
    <a className="button button-secondary self-center" href={href} onClick={loadHere} ref={link}>
      {failed ? 'Try again' : 'Show more links'}
    </a>
  );
}
