import type { Ref } from 'react';
import { dashboardAddress } from '../../data/dashboard-address.ts';
import type { DashboardView } from '../../data/dashboard-view.ts';
import { UploadIcon } from '../icons.tsx';

interface LinksHeadingProps {
  ref: Ref<HTMLHeadingElement>;
  query: Record<string, string>;
  view: DashboardView;
  /** Whether what leads on from here stands above the list. */
  mayUpload: boolean;
}

/** What the list is of, and the ways out of a part of it. */
export function LinksHeading({ ref, query, view, mayUpload }: LinksHeadingProps) {
  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-2xl" ref={ref} tabIndex={-1}>
          {view.deleted ? 'Deleted links' : 'Your Paywall Links'}
        </h2>
        {mayUpload && (
          <a className="button button-primary button-small" href="/upload">
            <UploadIcon className="size-4" />
            Upload a File
          </a>
        )}
      </div>
      {view.deleted && (
        <>
          <p className="mt-2 text-muted">
            Off sale for good. What they sold stays in your books, and their buyers keep it.
          </p>
          <Way to={dashboardAddress(query, { show: undefined, after: undefined })}>
            Back to your links
          </Way>
        </>
      )}
      {view.after !== null && (
        <Way to={dashboardAddress(query, { after: undefined })}>
          {view.sort === 'newest' ? 'Back to the newest links' : 'Back to the first links'}
        </Way>
      )}
    </div>
  );
}

function Way({ to, children }: { to: string; children: string }) {
  return (
    <p>
      <a className="text-link inline-flex min-h-11 items-center" href={to}>
        {children}
      </a>
    </p>
  );
}
