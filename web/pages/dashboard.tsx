import { useEffect, useRef, useState } from 'react';
import { BalanceCard } from '../components/balance-card.tsx';
import { DashboardRow } from '../components/dashboard/dashboard-row.tsx';
import { SalesSection } from '../components/dashboard/sales/sales-section.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { UploadIcon } from '../components/icons.tsx';
import { MoreLinks } from '../components/more-links.tsx';
import { NewestLinks } from '../components/newest-links.tsx';
import type { ResultOf } from '../data/graphql.ts';
import type { OwnLink } from '../data/link-pages.ts';
import { nameOwnLink } from '../data/name-link.ts';
import { expectSignOut } from '../data/sign-in-again.ts';
import { signOutOfPool } from '../data/sign-out-of-pool.ts';
import { dashboardQuery, dashboardVariables, useDashboard } from '../data/use-dashboard.ts';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  query: dashboardQuery,
  variables: (ctx) => dashboardVariables(ctx),
  fallback: { listPaywallLinks: null, getUserBalance: null, getSalesByDay: null },
  status: (_, ctx) => ctx.failed?.listPaywallLinks ?? 200,
  hydrate: 'now',
  head: () => ({ title: 'Dashboard · Padlink', robots: 'noindex' }),
  Component: Dashboard,
});

function Dashboard({ data, ctx }: PageProps<ResultOf<typeof dashboardQuery>>) {
  const {
    balance,
    balanceFailed,
    days,
    items,
    nextToken,
    state,
    loadMore,
    showChanged,
    showDeleted,
  } = useDashboard(data, ctx);
  const [said, setSaid] = useState('');
  const [deleted, setDeleted] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The row that had the focus is gone, and its dialog, which kept the focus from elsewhere.
    if (deleted) heading.current?.focus();
  }, [deleted]);
  const retrying = state === 'loading' && items.length === 0;
  const more = (
    <MoreLinks
      failure="Your links could not be loaded."
      loadingText="Loading your dashboard..."
      nextToken={nextToken}
      onMore={loadMore}
      state={state}
    />
  );

  function tellChange(link: OwnLink) {
    showChanged(link);
    const state = link.paused ? 'is paused. Nobody can buy it.' : 'can be bought again.';
    setSaid(`${nameOwnLink(link)} ${state}`);
  }

  function tellDeletion(link: OwnLink) {
    showDeleted(link);
    setSaid(`${nameOwnLink(link)} was deleted.`);
    setDeleted(link.id);
  }

  return (
    <div className="list-page">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-5">
        <div>
          <h1 className="text-3xl sm:text-4xl">Welcome back, {ctx.viewer?.firstName}</h1>
          <p className="mt-3 text-lg text-muted">Manage your paywall links below.</p>
        </div>
        <form
          action="/logout"
          className="flex gap-2"
          method="post"
          onSubmit={ctx.config.signIn.passwords ? expectSignOut : signOutOfPool}
        >
          <a className="button button-secondary button-small" href="/account">
            Account
          </a>
          <button className="button button-secondary button-small whitespace-nowrap" type="submit">
            Sign Out
          </button>
        </form>
      </div>
      <BalanceCard
        balance={retrying ? undefined : balance}
        failed={balanceFailed && state !== 'failed'}
      />
      {!retrying && <SalesSection ctx={ctx} days={days} isUntouched={items.length === 0} />}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-2xl" ref={heading} tabIndex={-1}>
          Your Paywall Links
        </h2>
        <p className="sr-only" role="status">
          {said}
        </p>
        {items.length > 0 && (
          <a className="button button-primary button-small" href="/upload">
            <UploadIcon className="size-4" />
            Upload a File
          </a>
        )}
      </div>
      <NewestLinks ctx={ctx} />
      {items.length === 0 && more}
      {items.length === 0 && !retrying && (
        <EmptyList text="No paywall links yet.">
          <a className="button button-primary" href="/upload">
            <UploadIcon className="size-5" />
            Upload a File
          </a>
        </EmptyList>
      )}
      {items.length > 0 && (
        <ul className="card divide-y divide-line">
          {items.map((link) => (
            <DashboardRow
              config={ctx.config}
              key={link.id}
              link={link}
              onChanged={tellChange}
              onDeleted={tellDeletion}
            />
          ))}
        </ul>
      )}
      {items.length > 0 && more}
    </div>
  );
}
