import { chooseTones } from '../../../contract/drawn-cover.ts';
import { isolate } from '../../../contract/isolate.ts';
import { DEFAULT_PAGE_SIZE, MAX_PINNED_LINKS } from '../../../contract/limits.ts';
import { say } from '../../languages/say.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageProps } from '../../page.ts';
import { EmptyList } from '../../ui/message-page.tsx';
import { ExploreCard } from '../listing/explore-card.tsx';
import { exploreItem } from '../listing/explore-item.ts';

export const sellerQuery = graphql(
  `
    query Seller($handle: String!, $after: String) {
      getSeller(handle: $handle) {
        handle name about links mine
        picture { url width height }
        pinned { ...ExploreItem }
        listLinks(nextToken: $after) {
          items { ...ExploreItem }
          nextToken
        }
      }
    }
  `,
  [exploreItem],
);

export const page = definePage({
  reads: ['after'],
  query: sellerQuery,
  variables: ({ params, query }) => ({ handle: params.handle ?? '', after: query.after ?? null }),
  status: ({ getSeller }) => (getSeller ? 200 : 404),
  hydrate: 'never',
  head: ({ getSeller: seller }, ctx) => {
    if (!seller) return { title: say('Page not found'), robots: 'noindex' };
    const name = nameOf(seller);
    const address = `/s/${seller.handle}`;
    const isEmpty = seller.pinned.length + seller.listLinks.items.length === 0;
    return {
      title: isolate(name),
      description:
        seller.about?.replace(/\s+/g, ' ') ??
        say('Links that {name} sells on {site}.', { name, site: ctx.config.siteName }),
      canonical: ctx.config.origin + address,
      feed: { title: say('The newest links of {name}', { name }), href: `${address}/feed.atom` },
      robots: isEmpty || ctx.query.after ? 'noindex, follow' : undefined,
    };
  },
  Component: SellerPage,
});

export type Seller = NonNullable<ResultOf<typeof sellerQuery>['getSeller']>;
type SellerLink = Seller['pinned'][number];

const nameOf = ({ name, handle }: Pick<Seller, 'name' | 'handle'>) => name ?? handle;

function SellerPage({ data, ctx }: PageProps<ResultOf<typeof sellerQuery>>) {
  const seller = data.getSeller;
  if (!seller) return null;
  const { handle, mine, pinned, listLinks: list } = seller;
  const isFirst = !ctx.query.after;
  const first = isFirst ? pinned : [];
  const shown = [...first, ...list.items];
  const tones = chooseTones(shown.map(({ id }) => id));
  const pin = { handle, mine, isFull: pinned.length >= MAX_PINNED_LINKS };
  return (
    <div className="explore-page">
      <SellerHead seller={seller} />
      {!isFirst && (
        <p>
          <a className="text-link inline-flex min-h-11 items-center" href={`/s/${handle}`}>
            {say('Back to the first links')}
          </a>
        </p>
      )}
      {shown.length === 0 ? (
        <EmptyList text={say(list.nextToken ? 'No links found so far.' : 'No links found.')} />
      ) : (
        <ul className="explore-list">
          {shown.map((link, place) => (
            <Item
              isPinned={place < first.length}
              key={link.id}
              link={link}
              tone={tones[place]}
              {...pin}
            />
          ))}
        </ul>
      )}
      {list.nextToken && (
        <a
          className="button button-secondary self-center"
          href={`/s/${handle}?after=${encodeURIComponent(list.nextToken)}`}
        >
          {say('Show the next {count} links', { count: DEFAULT_PAGE_SIZE })}
        </a>
      )}
    </div>
  );
}

/** Who sells here, in their own words. */
function SellerHead({ seller }: { seller: Seller }) {
  const { picture, about, links, mine } = seller;
  return (
    <header className="flex flex-wrap items-start gap-6">
      {picture && (
        <img
          alt=""
          className="card w-40"
          height={picture.height}
          src={picture.url}
          width={picture.width}
        />
      )}
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-3xl wrap-anywhere sm:text-4xl" dir="auto">
          {nameOf(seller)}
        </h1>
        {about && <p className="mt-3 text-lg whitespace-pre-line wrap-anywhere">{about}</p>}
        {links.length > 0 && (
          <ul aria-label={say('On other sites')} className="mt-2 flex flex-wrap gap-x-6">
            {links.map((link) => (
              <li className="min-w-0" key={link}>
                <a
                  className="text-link inline-flex min-h-11 items-center wrap-anywhere"
                  dir="auto"
                  href={link}
                  rel="nofollow ugc noopener"
                >
                  {shorten(link)}
                </a>
              </li>
            ))}
          </ul>
        )}
        {mine && (
          <p className="mt-2 flex flex-wrap items-center gap-x-4 text-muted">
            {say('This is your page as everyone sees it.')}
            <a className="text-link inline-flex min-h-11 items-center" href="/account/profile">
              {say('Change it')}
            </a>
          </p>
        )}
      </div>
    </header>
  );
}

/** "https://www.example.com/ada/" -> "example.com/ada" */
function shorten(link: string): string {
  return link.replace(/^https:\/\/(www\.)?/, '').replace(/\/$/, '');
}

interface ItemProps {
  link: SellerLink;
  tone: number | undefined;
  handle: string;
  mine: boolean;
  isPinned: boolean;
  /** No more links can be pinned. */
  isFull: boolean;
}

/** A link, which its owner can put first. */
function Item({ link, tone, handle, mine, isPinned, isFull }: ItemProps) {
  const { seller: _, sellerHandle: __, sellerPicture: ___, ...shown } = link;
  return (
    <ExploreCard link={shown} tone={tone}>
      {mine && (isPinned || !isFull) && (
        <form action={`/s/${handle}/pin`} className="mt-2" method="post">
          <input name="id" type="hidden" value={link.id} />
          <input name="pinned" type="hidden" value={isPinned ? 'no' : 'yes'} />
          <button className="button button-secondary button-small" type="submit">
            {say(isPinned ? 'Unpin' : 'Pin to the top')}
            <span className="sr-only">{`: ${link.title ?? link.id}`}</span>
          </button>
        </form>
      )}
    </ExploreCard>
  );
}
