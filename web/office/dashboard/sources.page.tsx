import { say, tell } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { formatPrice } from '../../lib/format.ts';
import { formatShare } from '../../lib/format-share.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { TableExport } from '../../shell/table-export.tsx';
import { Funnel } from '../../ui/funnel.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { PERIODS, readPeriod } from './dashboard-query.ts';

const query = graphql(`
  query Sources($days: Int!, $link: ID, $id: ID!, $ofLink: Boolean!) {
    listSources(days: $days, linkId: $link) { source name views checkouts sales net }
    getPaywallLink(id: $id) @include(if: $ofLink) { id title key url mine }
  }
`);

export const page = definePage({
  query,
  variables: (ctx) => {
    const { link = null } = ctx.query;
    return { days: readPeriod(ctx), link, id: link ?? '', ofLink: link !== null };
  },
  fallback: { listSources: null },
  status: (_, ctx) => ctx.failed?.listSources ?? 200,
  hydrate: 'never',
  head: () => ({ title: say('Where visitors come from'), robots: 'noindex' }),
  Component: Sources,
});

type Source = NonNullable<ResultOf<typeof query>['listSources']>[number];

/** What came of visitors, by where they came from: of one link, or of all. */
function Sources({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { listSources: sources, getPaywallLink: link } = data;
  const period = readPeriod(ctx);
  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{say('Where visitors come from')}</h1>
        <p className="mt-3 text-lg text-muted wrap-anywhere">
          {link?.mine ? say('To {name}', { name: nameOwnLink(link) }) : say('To all your links')}
        </p>
        <p className="mt-3 flex flex-wrap gap-x-6">
          <a className="text-link inline-flex min-h-11 items-center" href="/dashboard">
            {say('Back to the dashboard')}
          </a>
          {ctx.query.link !== undefined && (
            <a className="text-link inline-flex min-h-11 items-center" href={ctx.path}>
              {say('Show all links')}
            </a>
          )}
        </p>
        <TableExport
          ctx={ctx}
          link={ctx.query.link}
          tables={{ '/dashboard/sources.csv': say('Export by day (CSV)') }}
        />
      </div>
      <div className="space-y-4">
        <nav aria-label={say('Period')} className="period-tabs w-fit">
          {PERIODS.map((days) => (
            <a
              aria-current={days === period ? 'page' : undefined}
              className="tab"
              href={addressOf(ctx.path, ctx, days)}
              key={days}
            >
              {say('{count} days', { count: days })}
            </a>
          ))}
        </nav>
        {!sources && (
          <ListFailed address={addressOf(ctx.path, ctx, period)} what={say('The sources')} />
        )}
        {sources?.length === 0 && <EmptyList text={say('No visits in this period.')} />}
        {sources && sources.length > 0 && (
          <ul className="card divide-y divide-line">
            {sources.map((source) => (
              <SourceRow key={source.source} source={source} />
            ))}
          </ul>
        )}
      </div>
      <p className="text-sm text-muted">
        {`${say('Views count each visitor once in half an hour, and at least once per checkout.')} `}
        {sayWith(
          'To name a campaign, add {example}, for example, to a link; {medium} and {campaign} tell campaigns apart. “Direct” means visitors who typed the address, opened it in an app, or came from a site that does not say. Amounts are before refunds. No cookie is set for this, and nothing is stored about who came.',
          {
            example: asCode('?utm_source=newsletter'),
            medium: asCode('utm_medium'),
            campaign: asCode('utm_campaign'),
          },
        )}
      </p>
    </div>
  );
}

const asCode = (words: string) => <code className="whitespace-nowrap">{words}</code>;

/** Of the link that is shown, if it is one. */
function addressOf(path: string, { query: { link } }: PageContext, days?: number): string {
  const parts = new URLSearchParams({ ...(link && { link }), ...(days && { days: String(days) }) });
  return parts.size > 0 ? `${path}?${parts}` : path;
}

function SourceRow({ source }: { source: Source }) {
  const { name, views, sales, net } = source;
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">
          <bdi>{tell(name)}</bdi>
        </p>
        <p className="text-sm text-muted tabular-nums">
          <Funnel of={source} />
          {sales > 0 && sales <= views && ` (${formatShare(sales / views)})`}
        </p>
      </div>
      <span className="text-lg font-semibold tabular-nums">{formatPrice(net)}</span>
    </li>
  );
}
