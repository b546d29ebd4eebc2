import { EmptyList } from '../empty-list.tsx';

interface FoundLinksProps {
  count: number;
  /** There are more than these. */
  goesOn: boolean;
  /** False while others are looked for, and when none could be read. */
  isKnown: boolean;
  isFiltered: boolean;
}

/** How many links there are, said aloud whenever that changes. */
export function FoundLinks({ count, goesOn, isKnown, isFiltered }: FoundLinksProps) {
  return (
    <div className="explore-found" role="status">
      {isKnown && count > 0 && describeCount(count, goesOn)}
      {isKnown && count === 0 && (
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
