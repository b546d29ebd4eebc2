import { dashboardAddress } from '../../data/dashboard-address.ts';
import type { DashboardView } from '../../data/dashboard-view.ts';
import { EmptyList } from '../empty-list.tsx';
import { FirstSteps } from './first-steps.tsx';

interface NoLinksProps {
  view: DashboardView;
  query: Record<string, string>;
  /** Further links have not been looked at yet. */
  goesOn: boolean;
}

/** A list with nothing in it, by the reason for that. */
export function NoLinks({ view, query, goesOn }: NoLinksProps) {
  if (view.deleted) return <EmptyList text="You have deleted no links." />;
  if (!view.search) return <FirstSteps />;
  const found = goesOn ? 'No link so far holds' : 'None of your links holds';
  return (
    <EmptyList text={`${found} “${view.search}”.`}>
      <a
        className="button button-secondary"
        href={dashboardAddress(query, { q: undefined, after: undefined })}
      >
        Show all links
      </a>
    </EmptyList>
  );
}
