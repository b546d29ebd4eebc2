import { type MouseEvent, useEffect, useId, useRef } from 'react';
import { chooseTones } from '../../../contract/drawn-cover.ts';
import { LINK_SORTS } from '../../../contract/links.ts';
import { say } from '../../languages/say.ts';
import { TOO_MANY_SEARCHES } from '../../lib/request-error.ts';
import type { PageContext } from '../../page.ts';
import { UploadIcon } from '../../ui/icons.tsx';
import { LinkKey } from '../../ui/link-key.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Steps } from '../../ui/steps.tsx';
import { type DashboardView, dashboardAddress } from './dashboard-query.ts';
import { DashboardRow, DeletedRow } from './link-row.tsx';
import type { useDashboard } from './use-dashboard.ts';

interface LinksProps {
  ctx: PageContext;
  view: DashboardView;
  list: ReturnType<typeof useDashboard>;
}

interface LinksSectionProps extends LinksProps {
  /** Whether there is something else to do first. */
  toShare: boolean;
}

/** So many are found without searching. */
const FEW_LINKS = 5;

/** A creator's links, and what else there is to see of them. */
export function LinksSection(props: LinksSectionProps) {
  const { ctx, view, list } = props;
  const { items, nextToken, state } = list;
  const isEmpty = items.length === 0;
  const isShort = view.isUsual && nextToken === null && items.length <= FEW_LINKS;
  const sells = ctx.viewer?.sells === true;
  const tones = chooseTones(items.map(({ id }) => id));
  return (
    <>
      <LinksHeading {...props} mayUpload={!isEmpty && !view.deleted && sells} />
      <p className="sr-only" role="status">
        {list.said}
      </p>
      {!view.deleted && !isShort && !(isEmpty && !view.search) && <ListTools view={view} />}
      {isEmpty && state === 'failed' && <EmptyList text={say('No paywall links yet.')} />}
      {isEmpty && state === 'idle' && <NoLinks {...props} />}
      {!isEmpty && (
        <ul className="card divide-y divide-line">
          {items.map((link, place) =>
            view.deleted ? (
              <DeletedRow
                config={ctx.config}
                key={link.id}
                link={link}
                onRestored={(restored) => list.tellGone(restored, '{name} was restored.')}
                tone={tones[place]}
              />
            ) : (
              <DashboardRow
                config={ctx.config}
                key={link.id}
                link={link}
                onChanged={list.tellChanged}
                onDeleted={(deleted) => list.tellGone(deleted, '{name} was deleted.')}
                tone={tones[place]}
              />
            ),
          )}
        </ul>
      )}
      <MoreLinks {...props} />
      {!view.deleted && (
        <p className="flex flex-wrap gap-x-6">
          {!isEmpty && sells && (
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
              {say('Codes and gifts')}
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
    </>
  );
}

interface LinksHeadingProps extends LinksSectionProps {
  /** Whether the navigation stands above the list. */
  mayUpload: boolean;
}

/** What the list shows, and the way back from a part of it. */
function LinksHeading({ ctx: { query }, view, list, mayUpload, toShare }: LinksHeadingProps) {
  const { gone } = list;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The row that had the focus is gone, and so is its dialog, which had trapped the focus.
    if (gone) heading.current?.focus();
  }, [gone]);
  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-2xl" ref={heading} tabIndex={-1}>
          {say(view.deleted ? 'Deleted links' : 'Your Paywall Links')}
        </h2>
        {mayUpload && (
          <a
            className={`button button-small ${toShare ? 'button-secondary' : 'button-primary'}`}
            href="/upload"
          >
            <UploadIcon className="size-4" />
            {say('Upload a File')}
          </a>
        )}
      </div>
      {view.deleted && (
        <>
          <p className="mt-2 text-muted">
            {say(
              'Off sale until you restore them. Their sales stay in your records, and buyers keep what they bought.',
            )}
          </p>
          <Way to={dashboardAddress(query, { show: undefined, after: undefined })}>
            {say('Back to your links')}
          </Way>
        </>
      )}
      {view.after !== null && (
        <Way to={dashboardAddress(query, { after: undefined })}>
          {say(view.sort === 'newest' ? 'Back to the newest links' : 'Back to the first links')}
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

const SORT_NAMES = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  cheapest: 'Price, low to high',
  dearest: 'Price, high to low',
} as const;

/** Searches and sorts links: a plain form whose result is a page of its own. */
function ListTools({ view }: { view: DashboardView }) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  return (
    <search>
      <form action="/dashboard" className="list-tools" method="get" ref={form}>
        <input name="days" type="hidden" value={view.days} />
        <div className="flex-1 basis-48">
          <label className="mb-1 block text-sm font-medium" htmlFor={`${id}-search`}>
            {say('Search your links')}
          </label>
          <input
            className="input"
            defaultValue={view.search}
            dir="auto"
            enterKeyHint="search"
            id={`${id}-search`}
            name="q"
            type="search"
          />
        </div>
        <div>
          <label className="mb-1 block text-sm font-medium" htmlFor={`${id}-sort`}>
            {say('Sort by')}
          </label>
          <select
            className="input"
            defaultValue={view.sort}
            id={`${id}-sort`}
            name="sort"
            onChange={() => form.current?.requestSubmit()}
          >
            {LINK_SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {say(SORT_NAMES[sort])}
              </option>
            ))}
          </select>
        </div>
        <button className="button button-secondary" type="submit">
          {say('Search')}
        </button>
      </form>
    </search>
  );
}

/** An empty list, with the reason. */
function NoLinks({ ctx: { query, viewer }, view, list }: LinksProps) {
  if (view.deleted) return <EmptyList text={say('You have not deleted any links.')} />;
  if (!view.search) return viewer?.sells ? <FirstSteps /> : <NothingToSell />;
  // Further links have not been looked at yet.
  const words = list.nextToken
    ? 'No link so far contains “{words}”.'
    : 'None of your links contains “{words}”.';
  return (
    <EmptyList text={say(words, { words: view.search })}>
      <a
        className="button button-secondary"
        href={dashboardAddress(query, { q: undefined, after: undefined })}
      >
        {say('Show all links')}
      </a>
    </EmptyList>
  );
}

/** For accounts that can only buy. */
function NothingToSell() {
  return (
    <EmptyList text={say('You have no paywall links.')}>
      <a className="button button-primary" href="/explore">
        {say('See what is for sale')}
      </a>
    </EmptyList>
  );
}

/** The first steps, for creators without links. */
function FirstSteps() {
  return (
    <div className="card flex flex-col items-center gap-7 px-6 py-12 text-center">
      <LinkKey className="w-24 opacity-60" id="00000000" />
      <p className="text-lg text-muted">{say('No paywall links yet.')}</p>
      <Steps />
      <a className="button button-primary" href="/upload">
        <UploadIcon className="size-5" />
        {say('Upload a File')}
      </a>
    </div>
  );
}

/** The way to further links: real pages, or more of the list where JavaScript runs. */
function MoreLinks({ ctx, view, list: { nextToken, state, loadMore } }: LinksProps) {
  if (state === 'loading') return <Spinner text={say('Loading your dashboard...')} />;
  if (!nextToken && state !== 'failed') return null;
  const next = view.sort === 'newest' ? 'Show older links' : 'Show more links';

  function loadHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void loadMore();
  }

  return (
    <div className="flex flex-col items-center gap-4">
      {state === 'failed' && (
        <p className="text-muted" role="status">
          {ctx.failed?.listPaywallLinks === 429
            ? say(TOO_MANY_SEARCHES)
            : say('{what} could not be loaded.', { what: say('Your links') })}
        </p>
      )}
      <a
        className="button button-secondary"
        href={dashboardAddress(ctx.query, nextToken ? { after: nextToken } : {})}
        onClick={loadHere}
      >
        {say(state === 'failed' ? 'Try again' : next)}
      </a>
    </div>
  );
}
