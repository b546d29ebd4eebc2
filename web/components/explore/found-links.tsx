import { EmptyList } from '../empty-list.tsx';

interface FoundLinksProps {
  count: number;
  /** There are more than these. */
  goesOn: boolean;
  /** Others are being looked for. */
  isBusy: boolean;
  isFiltered: boolean;
}

/** How many links there are, said aloud whenever that changes. */
export function FoundLinks({ count, goesOn, isBusy, isFiltered }: FoundLinksProps) {
  return (
    <div className="explore-found" role="status">
      {!isBusy && count > 0 && describeCount(count, goesOn)}
      {!isBusy && count === 0 && (
        <EmptyList text={goesOn ? 'No links found so far.' : 'No links found.'}>
          {isFiltered && (
            <a className="button button-secondary" href="/explore">
              Clear search and filters
            </a>
          )}
        </EmptyList>
      )}
    </div>
  );
}

function describeCount(count: number, goesOn: boolean): string {
  if (goesOn) return `${count} links, and more below`;
  return count === 1 ? '1 link' : `${count} links`;
}
