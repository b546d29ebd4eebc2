import type { MouseEvent } from 'react';
import type { ListState } from '../data/use-link-pages.ts';
import { Alert } from './alert.tsx';
import { Spinner } from './spinner.tsx';

interface MoreLinksProps {
  nextToken: string | null;
  state: ListState;
  label: string;
  /** Shown when loading failed. */
  failure: string;
  loadingText: string;
  /** Of the page that follows a token; of the same page again without one. */
  address(after?: string): string;
  onMore(): void;
}

/** The way to further links: real pages, or more of the list where JavaScript runs. */
export function MoreLinks({ nextToken, state, loadingText, onMore, ...more }: MoreLinksProps) {
  if (state === 'loading') return <Spinner text={loadingText} />;
  if (!nextToken && state !== 'failed') return null;

  function loadHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onMore();
  }

  return (
    <div className="flex flex-col items-center gap-4">
      {state === 'failed' && <Alert>{more.failure}</Alert>}
      <a
        className="button button-secondary"
        href={nextToken ? more.address(nextToken) : more.address()}
        onClick={loadHere}
      >
        {state === 'failed' ? 'Try again' : more.label}
      </a>
    </div>
  );
}
