import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { formatDay, formatPrice, formatTime, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { LinkKey } from '../../ui/link-key.tsx';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { OperatorFrame, SearchForm, Tabs, useActs } from './operator-frame.tsx';
import { describeReason, TakeDownButton, UndoButton } from './take-down.tsx';

const query = graphql(`
  query OperatorLinks($search: String!, $takenDown: Boolean!, $after: String) {
    findLinks(search: $search, takenDown: $takenDown, nextToken: $after) {
      items {
        id title key url sellerEmail price state unlisted sales createdAt
        takenDownAt takenDownFor takenDownWords
      }
      nextToken
    }
  }
`);

type Data = ResultOf<typeof query>;
type Link = NonNullable<Data['findLinks']>['items'][number];

export const page = definePage({
  query,
  variables: readVariables,
  fallback: { findLinks: null },
  status: (_, { failed }) => failed?.findLinks ?? 200,
  hydrate: 'now',
  head: () => ({ title: `${say('Links')} · Padlink`, robots: 'noindex' }),
  Component: OperatorLinks,
});

const TAKEN_DOWN = 'taken-down';

function readVariables({ query: { search = '', show, after } }: PageContext) {
  return { search: search.trim(), takenDown: show === TAKEN_DOWN, after: after ?? null };
}

/** Of the first page of what is searched for. */
function listAddress(search: string, takenDown: boolean): string {
  const parts = new URLSearchParams({
    ...(search && { search }),
    ...(takenDown && { show: TAKEN_DOWN }),
  });
  return parts.size > 0 ? `/operator/links?${parts}` : '/operator/links';
}

/** Every link of the site, and what operators do about it. */
function OperatorLinks({ data, ctx }: PageProps<Data>) {
  const { config } = ctx;
  const variables = readVariables(ctx);
  const { search, takenDown } = variables;
  const read = () => needSession(requestGraphql(config, query, variables));
  const { shown, done, tell } = useActs(data, read);
  const found = shown.findLinks;
  const address = listAddress(search, takenDown);
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Links')}>
      <SearchForm
        address="/operator/links"
        hidden={takenDown ? { show: TAKEN_DOWN } : {}}
        hint={say(
          'By its ID or address, a link is found in any state. Words are looked for in titles and descriptions.',
        )}
        label={say('Title, ID, address or email address of the seller')}
        search={search}
      />
      <Tabs
        label={say('State')}
        tabs={[false, true].map((isTakenDown) => ({
          href: listAddress(search, isTakenDown),
          words: say(isTakenDown ? 'Taken down' : 'On sale'),
          isCurrent: isTakenDown === takenDown,
        }))}
      />
      {!found && <ListFailed address={address} what={say('The links')} />}
      {found?.items.length === 0 && (
        <EmptyList text={say(found.nextToken ? 'No links found so far.' : 'No links found.')} />
      )}
      {found && found.items.length > 0 && (
        <ul className="card divide-y divide-line">
          {found.items.map((link) => (
            <LinkRow config={config} key={link.id} link={link} onDone={tell} />
          ))}
        </ul>
      )}
      <OtherPages
        address={address}
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older links')}
        nextToken={found?.nextToken ?? null}
      />
    </OperatorFrame>
  );
}

const BADGES: Record<string, Sentence | undefined> = {
  paused: 'Paused',
  deleted: 'Deleted',
  suspended: 'Seller suspended',
  [TAKEN_DOWN]: 'Taken down',
};

interface LinkRowProps {
  link: Link;
  config: PageContext['config'];
  onDone(words: string): Promise<void>;
}

function LinkRow({ link, config, onDone }: LinkRowProps) {
  const { id, state, sellerEmail, unlisted, sales, price, createdAt } = link;
  const name = nameOwnLink(link);
  const acting = { config, id, name, onDone };
  const isTakenDown = state === TAKEN_DOWN;
  const hasPage = state === 'live' || state === 'paused';
  const badge = BADGES[state];
  return (
    <li className="dashboard-row">
      <LinkKey className="dashboard-key" id={id} />
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {hasPage ? (
            <a className="text-link -my-2.5 inline-block py-2.5" dir="auto" href={`/p/${id}`}>
              {name}
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}
          {badge && <span className="badge">{say(badge)}</span>}
          {unlisted && <span className="badge">{say('Unlisted')}</span>}
        </p>
        <p className="text-sm text-muted">
          {sayWith('{id}, by {seller}, {day}, {sales}', {
            id,
            seller: <SellerLink email={sellerEmail} />,
            day: <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
            sales: sayCount(sales, '1 sale', '{count} sales'),
          })}
        </p>
        {link.takenDownAt && (
          <p className="mt-1 text-sm">
            {sayWith('{time}: {reason}. {words}', {
              time: <time dateTime={link.takenDownAt}>{formatTime(link.takenDownAt)}</time>,
              reason: describeReason(link.takenDownFor ?? ''),
              words: link.takenDownWords,
            })}
          </p>
        )}
      </div>
      <p className="text-lg font-semibold tabular-nums">{formatPrice(price)}</p>
      {isTakenDown ? <UndoButton {...acting} /> : <TakeDownButton {...acting} />}
    </li>
  );
}

function SellerLink({ email }: { email: string | null }) {
  if (email === null) return say('a deleted account');
  return (
    <a className="text-link" href={`/operator/sellers?${new URLSearchParams({ search: email })}`}>
      {email}
    </a>
  );
}
