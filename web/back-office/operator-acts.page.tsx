import { formatTime } from '../lib/format.ts';
import { graphql, type ResultOf } from '../lib/graphql.ts';
import { definePage, type PageProps } from '../page.ts';
import { ListFailed, OtherPages } from '../ui/list-parts.tsx';
import { EmptyList } from '../ui/message-page.tsx';
import { OperatorFrame } from './operator-frame.tsx';

const query = graphql(`
  query OperatorActs($after: String) {
    listActs(nextToken: $after) {
      items { id actedAt actorKind actorEmail act subjectKind subjectId reason details }
      nextToken
    }
  }
`);

export const page = definePage({
  query,
  variables: (ctx) => ({ after: ctx.query.after ?? null }),
  fallback: { listActs: { items: [], nextToken: null } },
  status: (_, { failed }) => failed?.listActs ?? 200,
  hydrate: 'never',
  head: () => ({ title: 'Log of acts · Padlink', robots: 'noindex' }),
  Component: OperatorActs,
});

type Act = ResultOf<typeof query>['listActs']['items'][number];

/** What operators did, by whom, when, to what and why: nobody can change it. */
function OperatorActs({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { items, nextToken } = data.listActs;
  return (
    <OperatorFrame ctx={ctx} title="Log of acts">
      {ctx.failed && <ListFailed address={ctx.path} what="The acts" />}
      {!ctx.failed && items.length === 0 && <EmptyList text="No operator has done anything yet." />}
      {items.length > 0 && (
        <ul className="card divide-y divide-line">
          {items.map((act) => (
            <ActRow act={act} key={act.id} />
          ))}
        </ul>
      )}
      <OtherPages
        address={ctx.path}
        after={ctx.query.after}
        first="Show the newest"
        next="Show older acts"
        nextToken={nextToken}
      />
    </OperatorFrame>
  );
}

const ACTORS: Record<string, string | undefined> = {
  'service-key': 'the service key',
  cli: 'a command',
};

function ActRow({ act: { act, actedAt, actorKind, actorEmail, ...done } }: { act: Act }) {
  return (
    <li className="px-5 py-4 wrap-anywhere">
      <p className="font-medium">{act}</p>
      <p className="text-sm text-muted">
        <time dateTime={actedAt}>{formatTime(actedAt)}</time>, by{' '}
        {ACTORS[actorKind] ?? actorEmail ?? 'a deleted account'}. To the {done.subjectKind}{' '}
        {done.subjectId}.
      </p>
      {done.reason && <p className="mt-1">“{done.reason}”</p>}
      {done.details && (
        <p className="mt-1 text-sm text-muted">
          <code>{done.details}</code>
        </p>
      )}
    </li>
  );
}
