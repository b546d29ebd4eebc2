import { useEffect, useRef, useState } from 'react';
import { Alert } from '../components/alert.tsx';
import { BalanceCard } from '../components/balance-card.tsx';
import { DashboardHeader } from '../components/dashboard/dashboard-header.tsx';
import { DashboardRow } from '../components/dashboard/dashboard-row.tsx';
import { DeletedRow } from '../components/dashboard/deleted-row.tsx';
import { EditDialog } from '../components/dashboard/edit-dialog.tsx';
import { LinksHeading } from '../components/dashboard/links-heading.tsx';
import { ListTools } from '../components/dashboard/list-tools.tsx';
import { NoLinks } from '../components/dashboard/no-links.tsx';
import { SalesSection } from '../components/dashboard/sales/sales-section.tsx';
import { MoreLinks } from '../components/more-links.tsx';
import { dashboardAddress } from '../data/dashboard-address.ts';
import { type DashboardData, dashboardQuery, dashboardVariables } from '../data/dashboard-query.ts';
import { readView } from '../data/dashboard-view.ts';
import type { OwnLink } from '../data/link-pages.ts';
import { nameOwnLink } from '../data/name-link.ts';
import { TOO_MANY_SEARCHES } from '../data/request-error.ts';
import { useAskedEdit } from '../data/use-asked-edit.ts';
import { useDashboard } from '../data/use-dashboard.ts';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  query: dashboardQuery,
  variables: (ctx) => dashboardVariables(ctx),
  fallback: { listPaywallLinks: null, getUserBalance: null, getSalesByDay: null },
  status: (_, { failed }) => failed?.listPaywallLinks ?? failed?.listDeletedPaywallLinks ?? 200,
  hydrate: 'now',
  head: () => ({ title: 'Dashboard · Padlink', robots: 'noindex' }),
  Component: Dashboard,
});

const LOAD_FAILED = 'Your links could not be loaded.';

function Dashboard({ data, ctx }: PageProps<DashboardData>) {
  const view = readView(ctx);
  const { items, nextToken, state, loadMore, ...shown } = useDashboard(data, ctx);
  const asked = useAskedEdit(data, ctx);
  const [said, setSaid] = useState('');
  const [deleted, setDeleted] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The row that had the focus is gone, and its dialog, which kept the focus from elsewhere.
    if (deleted) heading.current?.focus();
  }, [deleted]);
  const isEmpty = items.length === 0;
  const retrying = state === 'loading' && isEmpty;
  const more = (
    <MoreLinks
      address={(after) => dashboardAddress(ctx.query, after ? { after } : {})}
      failure={ctx.failed?.listPaywallLinks === 429 ? TOO_MANY_SEARCHES : LOAD_FAILED}
      label={view.sort === 'newest' ? 'Show older links' : 'Show more links'}
      loadingText="Loading your dashboard..."
      nextToken={nextToken}
      onMore={loadMore}
      state={state}
    />
  );

  function tellChange(link: OwnLink, what: string) {
    shown.showChanged(link);
    setSaid(what);
  }

  function tellDeletion(link: OwnLink) {
    shown.showDeleted(link);
    setSaid(`${nameOwnLink(link)} was deleted.`);
    setDeleted(link.id);
  }

  return (
    <div className="list-page">
      <DashboardHeader ctx={ctx} />
      {asked.notMine && <Alert>You have no link “{asked.notMine}” that could be edited.</Alert>}
      <BalanceCard
        balance={retrying ? undefined : shown.balance}
        failed={shown.balanceFailed && state !== 'failed'}
      />
      {!retrying && (
        <SalesSection ctx={ctx} days={shown.days} isUntouched={isEmpty && view.isUsual} />
      )}
      <LinksHeading
        mayUpload={!isEmpty && !view.deleted}
        query={ctx.query}
        ref={heading}
        view={view}
      />
      <p className="sr-only" role="status">
        {said}
      </p>
      {!view.deleted && !(isEmpty && !view.search) && <ListTools view={view} />}
      {isEmpty && !retrying && state !== 'failed' && (
        <NoLinks goesOn={nextToken !== null} query={ctx.query} view={view} />
      )}
      {!isEmpty && (
        <ul className="card divide-y divide-line">
          {items.map((link) =>
            view.deleted ? (
              <DeletedRow key={link.id} link={link} />
            ) : (
              <DashboardRow
                config={ctx.config}
                key={link.id}
                link={link}
                onChanged={tellChange}
                onDeleted={tellDeletion}
              />
            ),
          )}
        </ul>
      )}
      {more}
      {!view.deleted && (
        <p>
          <a
            className="text-link inline-flex min-h-11 items-center text-sm text-muted"
            href={dashboardAddress({}, { show: 'deleted' })}
          >
            Show deleted links
          </a>
        </p>
      )}
      {asked.editing && (
        <EditDialog
          config={ctx.config}
          link={asked.editing}
          onClose={asked.close}
          onSaved={tellChange}
        />
      )}
    </div>
  );
}
