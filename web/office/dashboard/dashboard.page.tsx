import { useEffect } from 'react';
import { fact } from '../../../contract/fact.ts';
import { say, tell } from '../../languages/say.ts';
import { renewNoticesOnce } from '../../lib/browser-notices.ts';
import { formatPrice } from '../../lib/format.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { SignOut } from '../../ui/sign-out.tsx';
import {
  type DashboardData,
  dashboardAddress,
  dashboardQuery,
  dashboardVariables,
  readView,
} from './dashboard-query.ts';
import { useEditDialog } from './edit-on-demand.ts';
import { FirstSale } from './first-sale.tsx';
import { LinksSection } from './link-list.tsx';
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
  head: () => ({ title: say('Dashboard'), robots: 'noindex' }),
  Component: Dashboard,
});

function Dashboard({ data, ctx }: PageProps<DashboardData>) {
  const { config, viewer } = ctx;
  const view = readView(ctx);
  const shown = useDashboard(data, ctx);
  const { items, nextToken, state, days } = shown;
  const asked = useAskedEdit(data, ctx);
  useEffect(() => {
    if (viewer?.sells) void renewNoticesOnce(config, viewer.id);
  }, [config, viewer]);
  const takeDowns = data.listOwnTakeDowns?.items ?? [];
  const isEmpty = items.length === 0;
  const retrying = state === 'loading' && isEmpty;
  const undelivered = data.countUndeliveredSales ?? 0;
  const hasSold =
    !view.isUsual ||
    undelivered > 0 ||
    nextToken !== null ||
    items.some(({ statistics }) => statistics?.sales) ||
    days?.some(({ sales }) => sales > 0) !== false;
  const toShare = hasSold ? undefined : items.find(({ paused, hold }) => !paused && !hold);

  return (
    <div className="list-page">
      <DashboardHeader ctx={ctx} />
      {asked.notMine && (
        <Alert>{say('You have no link “{id}” to edit.', { id: asked.notMine })}</Alert>
      )}
      {asked.failure && <Alert>{asked.failure}</Alert>}
      {config.payouts.kind !== 'solo' && (
        <BalanceCard
          balance={retrying ? undefined : shown.balance}
          failed={shown.balanceFailed && state !== 'failed'}
        />
      )}
      {toShare && <FirstSale link={toShare} origin={config.origin} />}
      {!retrying && (
        <SalesSection
          ctx={ctx}
          days={days}
          isUntouched={view.isUsual && (isEmpty || toShare !== undefined)}
          undelivered={undelivered}
        />
      )}
      {takeDowns.length > 0 && <TakenDownLinks config={config} takeDowns={takeDowns} />}
      <LinksSection ctx={ctx} toShare={toShare !== undefined} list={shown} view={view} />
      <SignOut />
      <SaleNote onDismiss={shown.forgetNewSales} sales={shown.newSales} />
      {asked.link && asked.Shown && (
        <asked.Shown
          config={config}
          link={asked.link}
          onClose={asked.close}
          onSaved={shown.tellChanged}
        />
      )}
    </div>
  );
}

function DashboardHeader({ ctx }: { ctx: PageContext }) {
  return (
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
  );
}

type Balance = NonNullable<DashboardData['getUserBalance']>;

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
          {say('Your money')}
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
