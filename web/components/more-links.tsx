import type { MouseEvent } from 'react';
import type { ListState } from '../data/use-link-pages.ts';
import { Alert } from './alert.tsx';
import { Spinner } from './spinner.tsx';

interface MoreLinksProps {
  nextToken: string | null;
  state: ListState;
  /** Shown when loading failed. */
  failure: string;
  loadingText: string;
  onMore(): void;
}

/** The way to older links: real pages, or more of the list where JavaScript runs. */
export function MoreLinks({ nextToken, state, failure, loadingText, onMore }: MoreLinksProps) {
  if (state === 'loading') return <Spinner text={loadingText} />;
  if (!nextToken && state !== 'failed') return null;

  function loadHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onMore();
  }

  return (
    <div className="flex flex-col items-center gap-4">
      {state === 'failed' && <Alert>{failure}</Alert>}
      <a
        className="button button-secondary"
        href={nextToken ? `?after=${encodeURIComponent(nextToken)}` : '?'}
        onClick={loadHere}
      >
        {state === 'failed' ? 'Try again' : 'Show older links'}
      </a>
    </div>
  );
}
