import { Alert } from './alert.tsx';
import { Spinner } from './spinner.tsx';

interface MoreLinksProps {
  nextToken: string | null;
  state: 'idle' | 'loading' | 'failed';
  loadingText: string;
  onMore(): void;
}

/** The way to older links: a real page, or more of the list where JavaScript runs. */
export function MoreLinks({ nextToken, state, loadingText, onMore }: MoreLinksProps) {
  if (state === 'loading') return <Spinner text={loadingText} />;
  if (!nextToken) return null;
  return (
    <div className="flex flex-col items-center gap-4">
      {state === 'failed' && <Alert>Older links could not be loaded.</Alert>}
      <a
        className="button button-secondary"
        href={`?after=${encodeURIComponent(nextToken)}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onMore();
        }}
      >
        {state === 'failed' ? 'Try again' : 'Show older links'}
      </a>
    </div>
  );
}
