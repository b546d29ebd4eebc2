import { type MouseEvent, type Ref, useId, useRef } from 'react';
import { LINK_SORTS } from '../../../contract/links.ts';
import { say } from '../../languages/say.ts';
import { UploadIcon } from '../../ui/icons.tsx';
import { LinkKey } from '../../ui/link-key.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Steps } from '../../ui/steps.tsx';
import { type DashboardView, dashboardAddress } from './dashboard-query.ts';
import type { ListState } from './link-pages.ts';

interface LinksHeadingProps {
  ref: Ref<HTMLHeadingElement>;
  query: Record<string, string>;
  view: DashboardView;
  /** Whether the navigation stands above the list. */
  mayUpload: boolean;
  /** Whether there is something else to do first. */
  toShare: boolean;
}

/** What the list shows, and the way back from a part of it. */
export function LinksHeading({ ref, query, view, mayUpload, toShare }: LinksHeadingProps) {
  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-2xl" ref={ref} tabIndex={-1}>
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
export function ListTools({ view }: { view: DashboardView }) {
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

interface NoLinksProps {
  view: DashboardView;
  query: Record<string, string>;
  /** Further links have not been looked at yet. */
  goesOn: boolean;
  /** Whether the account may sell here. */
  sells: boolean;
}

/** An empty list, with the reason. */
export function NoLinks({ view, query, goesOn, sells }: NoLinksProps) {
  if (view.deleted) return <EmptyList text={say('You have not deleted any links.')} />;
  if (!view.search) return sells ? <FirstSteps /> : <NothingToSell />;
  const words = goesOn
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

interface MoreLinksProps {
  nextToken: string | null;
  state: ListState;
  label: string;
  /** Shown when loading failed. */
  failure: string;
  loadingText: string;
  /** Of the page that follows a token; of the same page again without one. */
  address(after?: string): string;
  onMore(): void;
}

/** The way to further links: real pages, or more of the list where JavaScript runs. */
export function MoreLinks({ nextToken, state, loadingText, onMore, ...more }: MoreLinksProps) {
  if (state === 'loading') return <Spinner text={loadingText} />;
  if (!nextToken && state !== 'failed') return null;

  function loadHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onMore();
  }

  return (
    <div className="flex flex-col items-center gap-4">
      {state === 'failed' && (
        <p className="text-muted" role="status">
          {more.failure}
        </p>
      )}
      <a
        className="button button-secondary"
        href={nextToken ? more.address(nextToken) : more.address()}
        onClick={loadHere}
      >
        {state === 'failed' ? say('Try again') : more.label}
      </a>
    </div>
  );
}
