import { useEffect, useRef, useState } from 'react';
import { fact } from '../../../contract/fact.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { renewNoticesOnce } from '../../lib/browser-notices.ts';
import { formatPrice } from '../../lib/format.ts';
import { TOO_MANY_SEARCHES } from '../../lib/request-error.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import {
  type DashboardData,
  dashboardAddress,
  dashboardQuery,
  dashboardVariables,
  readView,
} from './dashboard-query.ts';
import { useEditDialog } from './edit-on-demand.ts';
import { FirstSale } from './first-sale.tsx';
import { LinksHeading, ListTools, MoreLinks, NoLinks } from './link-list.tsx';
import type { OwnLink } from './link-pages.ts';
import { DashboardRow, DeletedRow } from './link-row.tsx';
import { SaleNote } from './sale-note.tsx';
import { SalesSection } from './sales.tsx';
import { TakenDownLinks } from './taken-down-links.tsx';
import { useDashboard } from './use-dashboard.ts';

export const page = definePage({
  query: dashboardQuery,
  variables: (ctx) => dashboardVariables(ctx),
  fallback: {
    listPaywallLinks: null,
    getUserBalance: null,
    getSalesByDay: null,
    countUndeliveredSales: null,
    listOwnTakeDowns: null,
  },
  status: (_, { failed }) => failed?.listPaywallLinks ?? failed?.listDeletedPaywallLinks ?? 200,
  hydrate: 'now',
  head: () => ({ title: `${say('Dashboard')} · Padlink`, robots: 'noindex' }),
  Component: Dashboard,
});

function Dashboard({ data, ctx }: PageProps<DashboardData>) {
  const view = readView(ctx);
  const { items, nextToken, state, loadMore, ...shown } = useDashboard(data, ctx);
  const asked = useAskedEdit(data, ctx);
  const [said, setSaid] = useState('');
  const [gone, setGone] = useState('');
  const { config, viewer } = ctx;
  useEffect(() => {
    if (viewer?.sells) void renewNoticesOnce(config, viewer.id);
  }, [config, viewer]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The row that had the focus is gone, and so is its dialog, which had trapped the focus.
    if (gone) heading.current?.focus();
  }, [gone]);
  const takeDowns = data.listOwnTakeDowns?.items ?? [];
  const isEmpty = items.length === 0;
  const retrying = state === 'loading' && isEmpty;
  const undelivered = data.countUndeliveredSales ?? 0;
  const hasSold =
    !view.isUsual ||
    undelivered > 0 ||
    nextToken !== null ||
    items.some(({ statistics }) => statistics?.sales) ||
    shown.days?.some(({ sales }) => sales > 0) !== false;
  const toShare = hasSold ? undefined : items.find(({ paused, hold }) => !paused && !hold);
  const more = (
    <MoreLinks
      address={(after) => dashboardAddress(ctx.query, after ? { after } : {})}
      failure={
        ctx.failed?.listPaywallLinks === 429
          ? say(TOO_MANY_SEARCHES)
          : say('{what} could not be loaded.', { what: say('Your links') })
      }
      label={say(view.sort === 'newest' ? 'Show older links' : 'Show more links')}
      loadingText={say('Loading your dashboard...')}
      nextToken={nextToken}
      onMore={loadMore}
      state={state}
    />
  );

  function tellChange(link: OwnLink, what: string) {
    shown.showChanged(link);
    setSaid(what);
  }

  function tellGone(link: OwnLink, what: Sentence) {
    shown.showGone(link);
    setSaid(say(what, { name: nameOwnLink(link) }));
    setGone(link.id);
  }

  return (
    <div className="list-page">
      <DashboardHeader ctx={ctx} />
      {asked.notMine && (
        <Alert>{say('You have no link “{id}” to edit.', { id: asked.notMine })}</Alert>
      )}
      {asked.failure && <Alert>{asked.failure}</Alert>}
      {ctx.config.payouts.kind !== 'solo' && (
        <BalanceCard
          balance={retrying ? undefined : shown.balance}
          failed={shown.balanceFailed && state !== 'failed'}
        />
      )}
      {toShare && <FirstSale link={toShare} origin={ctx.config.origin} />}
      {!retrying && (
        <SalesSection
          ctx={ctx}
          days={shown.days}
          isUntouched={view.isUsual && (isEmpty || toShare !== undefined)}
          undelivered={undelivered}
        />
      )}
      {takeDowns.length > 0 && <TakenDownLinks config={ctx.config} takeDowns={takeDowns} />}
      <LinksHeading
        mayUpload={!isEmpty && !view.deleted && ctx.viewer?.sells === true}
        query={ctx.query}
        ref={heading}
        toShare={toShare !== undefined}
        view={view}
      />
      <p className="sr-only" role="status">
        {said}
      </p>
      {!view.deleted && !(isEmpty && !view.search) && <ListTools view={view} />}
      {isEmpty && state === 'failed' && <EmptyList text={say('No paywall links yet.')} />}
      {isEmpty && state === 'idle' && (
        <NoLinks
          goesOn={nextToken !== null}
          query={ctx.query}
          sells={ctx.viewer?.sells ?? false}
          view={view}
        />
      )}
      {!isEmpty && (
        <ul className="card divide-y divide-line">
          {items.map((link) =>
            view.deleted ? (
              <DeletedRow
                config={ctx.config}
                key={link.id}
                link={link}
                onRestored={(restored) => tellGone(restored, '{name} was restored.')}
              />
            ) : (
              <DashboardRow
                config={ctx.config}
                key={link.id}
                link={link}
                onChanged={tellChange}
                onDeleted={(deleted) => tellGone(deleted, '{name} was deleted.')}
              />
            ),
          )}
        </ul>
      )}
      {more}
      {!view.deleted && (
        <p className="flex flex-wrap gap-x-6">
          {!isEmpty && ctx.viewer?.sells && (
            <a
              className="text-link inline-flex min-h-11 items-center text-sm text-muted"
              href="/dashboard/bundle"
            >
              {say('New bundle')}
            </a>
          )}
          {!isEmpty && (
            <a
              className="text-link inline-flex min-h-11 items-center text-sm text-muted"
              href="/dashboard/codes"
            >
              {say('Discount codes')}
            </a>
          )}
          <a
            className="text-link inline-flex min-h-11 items-center text-sm text-muted"
            href={dashboardAddress({}, { show: 'deleted' })}
          >
            {say('Show deleted links')}
          </a>
        </p>
      )}
      <SaleNote onDismiss={shown.forgetNewSales} sales={shown.newSales} />
      {asked.link && asked.Shown && (
        <asked.Shown
          config={ctx.config}
          link={asked.link}
          onClose={asked.close}
          onSaved={tellChange}
        />
      )}
    </div>
  );
}

/** The greeting, and the links to the account and to sign out. */
function DashboardHeader({ ctx }: { ctx: PageContext }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-5">
      <div>
        <h1 className="text-3xl sm:text-4xl">
          {say('Welcome back, {name}', { name: ctx.viewer?.firstName ?? '' })}
        </h1>
        <p className="mt-3 text-lg text-muted">
          {say(
            ctx.viewer?.sells
              ? 'Manage your paywall links below.'
              : 'Only the operator of this site sells here. You can buy with your account.',
          )}
        </p>
      </div>
      <form action="/logout" method="post">
        <button className="button button-secondary button-small whitespace-nowrap" type="submit">
          {say('Sign Out')}
        </button>
      </form>
    </div>
  );
}

interface Balance {
  balance: number;
  pending: number;
  available: number;
}

const NOTHING: Balance = { balance: 0, pending: 0, available: 0 };

interface BalanceCardProps {
  /** A missing record, or one that could not be loaded, is a balance of 0; undefined is unknown. */
  balance: Balance | null | undefined;
  failed: boolean;
}

/** What is owed to the creator. */
function BalanceCard({ balance, failed }: BalanceCardProps) {
  const known = balance === null ? NOTHING : balance;
  return (
    <section aria-label={say('Balance')} className="card px-6 py-5">
      <p
        aria-live="polite"
        className="text-2xl font-semibold tracking-tight tabular-nums sm:text-3xl"
      >
        {known
          ? tell(fact('Balance: {balance}', { balance: { cents: known.balance, alone: true } }))
          : say('Balance: $...')}
      </p>
      <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-1 text-muted tabular-nums">
        <Part amount={known?.available} name={say('Available')} />
        <Part amount={known?.pending} name={say('Pending')} />
      </dl>
      <p className="mt-1">
        <a className="text-link inline-flex min-h-11 items-center" href="/dashboard/money">
          {say('Payouts and pending money')}
        </a>
      </p>
      {failed && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <p className="text-muted" role="status">
            {say('Your balance could not be loaded.')}
          </p>
          <a className="button button-secondary button-small" href="?">
            {say('Try again')}
          </a>
        </div>
      )}
    </section>
  );
}

function Part({ name, amount }: { name: string; amount: number | undefined }) {
  return (
    <div className="flex gap-2">
      <dt>{name}</dt>
      <dd className="font-medium text-ink">{amount === undefined ? '...' : formatPrice(amount)}</dd>
    </div>
  );
}

/** The link that the page's address asks to edit, if it can be edited. */
function useAskedEdit({ getPaywallLink: asked }: DashboardData, ctx: PageContext) {
  const own = asked?.mine && asked.deletedAt === null ? asked : null;
  const { open, close, ...dialog } = useEditDialog();
  const isAsked = own !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (isAsked) void open();
  }, []);
  const { edit } = ctx.query;

  function closeForGood() {
    close();
    // The page must not open the dialog again after a reload.
    history.replaceState(history.state, '', dashboardAddress(ctx.query, {}));
  }

  const failed = ctx.failed?.getPaywallLink !== undefined;
  return {
    ...dialog,
    link: own,
    close: closeForGood,
    notMine: edit && !own && !failed ? edit : null,
  };
}
