import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatTime } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageProps } from '../../page.ts';
import { OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { CardList, OperatorFrame } from './operator-frame.tsx';

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
  head: () => ({ title: say('Activity log'), robots: 'noindex' }),
  Component: OperatorActs,
});

type Act = ResultOf<typeof query>['listActs']['items'][number];

/** What operators did, by whom, when, to what and why: nobody can change it. */
function OperatorActs({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { items, nextToken } = data.listActs;
  return (
    <OperatorFrame ctx={ctx} title={say('Activity log')}>
      <CardList
        address={ctx.path}
        empty={<EmptyList text={say('No activity yet.')} />}
        items={ctx.failed ? undefined : items}
        what={say('The activity log')}
      >
        {(act) => <ActRow act={act} key={act.id} />}
      </CardList>
      <OtherPages
        address={ctx.path}
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older activity')}
        nextToken={nextToken}
      />
    </OperatorFrame>
  );
}

const ACTORS: Record<string, Sentence | undefined> = {
  'service-key': 'the service key',
  cli: 'a command',
};

/** The same for what is acted on. */
const SUBJECTS: Record<string, Sentence | undefined> = {
  link: 'Link {id}.',
  account: 'Account {id}.',
  invitation: 'Invitation {id}.',
  purchase: 'Purchase {id}.',
  payout: 'Payout {id}.',
  job: 'Job {id}.',
  report: 'Report {id}.',
};

function ActRow({ act: { act, actedAt, actorKind, actorEmail, ...done } }: { act: Act }) {
  const actor = ACTORS[actorKind];
  const subject = SUBJECTS[done.subjectKind];
  return (
    <li className="px-5 py-4 wrap-anywhere">
      <p className="font-medium" translate="no">
        {act}
      </p>
      <p className="text-sm text-muted">
        {sayWith('{time}, by {who}.', {
          time: <time dateTime={actedAt}>{formatTime(actedAt)}</time>,
          who: actor ? say(actor) : (actorEmail ?? say('a deleted account')),
        })}{' '}
        {subject && say(subject, { id: done.subjectId })}
      </p>
      {done.reason && <p className="mt-1">{say('“{words}”', { words: done.reason })}</p>}
      {done.details && (
        <p className="mt-1 text-sm text-muted">
          <code>{done.details}</code>
        </p>
      )}
    </li>
  );
}
