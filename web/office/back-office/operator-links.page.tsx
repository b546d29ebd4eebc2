import { chooseTones } from '../../../contract/drawn-cover.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { formatDay, formatPrice, formatTime, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { faceFields, LinkCover } from '../../ui/link-cover.tsx';
import { OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import {
  type Acting,
  CardList,
  OperatorFrame,
  RowLink,
  SearchForm,
  searchAddress,
  Tabs,
  useActs,
} from './operator-frame.tsx';
import { describeReason, TakeDownButton, UndoButton } from './take-down.tsx';

const query = graphql(
  `
    query OperatorLinks($search: String!, $takenDown: Boolean!, $after: String) {
      findLinks(search: $search, takenDown: $takenDown, nextToken: $after) {
        items {
          id title key url face { ...FaceFields } sellerEmail price state unlisted sales createdAt
          takenDownAt takenDownFor takenDownWords
        }
        nextToken
      }
    }
  `,
  [faceFields],
);

type Data = ResultOf<typeof query>;
type Link = NonNullable<Data['findLinks']>['items'][number];

export const page = definePage({
  query,
  variables: readVariables,
  fallback: { findLinks: null },
  status: (_, { failed }) => failed?.findLinks ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Links'), robots: 'noindex' }),
  Component: OperatorLinks,
});

const TAKEN_DOWN = 'taken-down';

function readVariables({ query: { search = '', show, after } }: PageContext) {
  return { search: search.trim(), takenDown: show === TAKEN_DOWN, after: after ?? null };
}

/** Every link of the site, and what operators do about it. */
function OperatorLinks(props: PageProps<Data>) {
  const { ctx } = props;
  const variables = readVariables(ctx);
  const { search, takenDown } = variables;
  const { shown, done, acting } = useActs(props, query, variables);
  const found = shown.findLinks;
  const tones = chooseTones((found?.items ?? []).map(({ id }) => id));
  const show = takenDown ? TAKEN_DOWN : '';
  const address = searchAddress(ctx.path, search, show);
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Links')}>
      <SearchForm
        address={ctx.path}
        hint={say(
          'An ID or address finds a link in any state. Words are searched for in titles and descriptions.',
        )}
        label={say('Title, ID, address or email address of the seller')}
        search={search}
        show={show}
      />
      <Tabs
        label={say('State')}
        tabs={['', TAKEN_DOWN].map((part) => ({
          href: searchAddress(ctx.path, search, part),
          words: say(part ? 'Taken down' : 'On sale'),
          isCurrent: part === show,
        }))}
      />
      <CardList
        address={address}
        empty={
          <EmptyList text={say(found?.nextToken ? 'No links found so far.' : 'No links found.')} />
        }
        items={found?.items}
        what={say('The links')}
      >
        {(link, place) => <LinkRow key={link.id} {...acting} link={link} tone={tones[place]} />}
      </CardList>
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

interface LinkRowProps extends Acting {
  link: Link;
  /** Of its drawn cover. */
  tone: number | undefined;
}

function LinkRow({ link, tone, ...row }: LinkRowProps) {
  const { id, face, state, sellerEmail, unlisted, sales, price, createdAt } = link;
  const name = nameOwnLink(link);
  const acting = { ...row, id, name };
  const isTakenDown = state === TAKEN_DOWN;
  const hasPage = state === 'live' || state === 'paused';
  const badge = BADGES[state];
  return (
    <li className="dashboard-row">
      <LinkCover className="row-cover" face={face} id={id} tone={tone} />
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {hasPage ? <RowLink href={`/p/${id}`}>{name}</RowLink> : <bdi>{name}</bdi>}
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
    <a className="text-link" href={searchAddress('/operator/sellers', email)}>
      {email}
    </a>
  );
}
