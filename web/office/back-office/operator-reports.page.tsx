import { say } from '../../languages/say.ts';
import { formatTime, nameLink } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { OtherPages } from '../../ui/list-parts.tsx';
import {
  type Acting,
  CardList,
  OperatorFrame,
  RowLink,
  Section,
  searchAddress,
  useActs,
} from './operator-frame.tsx';
import { describeReason, TakeDownButton, UndoButton, WordsField } from './take-down.tsx';

const query = graphql(`
  query OperatorReports($after: String) {
    listTakeDowns(waiting: true) {
      items { id linkId title reason words objection objectedAt }
      nextToken
    }
    listReports(open: true, nextToken: $after) {
      items { id linkId title reason words email createdAt }
      nextToken
    }
  }
`);

type Data = ResultOf<typeof query>;
type Objection = NonNullable<Data['listTakeDowns']>['items'][number];
type Report = NonNullable<Data['listReports']>['items'][number];

const readVariables = ({ query: { after } }: PageContext) => ({ after: after ?? null });

export const page = definePage({
  query,
  variables: readVariables,
  fallback: { listTakeDowns: null, listReports: null },
  status: (_, { failed }) => failed?.listReports ?? failed?.listTakeDowns ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Reports'), robots: 'noindex' }),
  Component: OperatorReports,
});

/** What waits for a decision: what visitors report, and what sellers object to take-downs. */
function OperatorReports(props: PageProps<Data>) {
  const { ctx } = props;
  const { path } = ctx;
  const { shown, done, acting } = useActs(props, query, readVariables(ctx));
  const { listTakeDowns: objections, listReports: reports } = shown;
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Reports')}>
      <Section id="objections" title={say('Objections from sellers')}>
        <CardList
          address={path}
          empty={<p className="text-muted">{say('No objections.')}</p>}
          items={objections?.items}
          what={say('The objections')}
        >
          {(objection) => <ObjectionRow key={objection.id} {...acting} objection={objection} />}
        </CardList>
        {objections?.nextToken && (
          <p className="mt-4 text-muted">{say('There are more; these are the newest.')}</p>
        )}
      </Section>
      <Section id="reports" title={say('Reports from visitors')}>
        <CardList
          address={path}
          empty={<p className="text-muted">{say('No reports to review.')}</p>}
          items={reports?.items}
          what={say('The reports')}
        >
          {(report) => <ReportRow key={report.id} {...acting} report={report} />}
        </CardList>
        <OtherPages
          address={path}
          after={ctx.query.after}
          first={say('Show the newest')}
          next={say('Show older reports')}
          nextToken={reports?.nextToken ?? null}
        />
      </Section>
    </OperatorFrame>
  );
}

const answer = graphql(
  'mutation AnswerObjection($id: ID!, $words: String!) { answerObjection(id: $id, words: $words) }',
);

function ObjectionRow({ objection, config, onDone }: Acting & { objection: Objection }) {
  const { linkId, title, reason, words, objectedAt } = objection;
  const name = nameLink({ id: linkId, title });
  const acting = { config, id: linkId, name, onDone };
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="font-medium">
          <RowLink href={searchAddress('/operator/links', linkId)}>{name}</RowLink>
        </p>
        <p className="text-sm text-muted">
          {say('Taken down: {reason}. {words}', { reason: describeReason(reason), words })}
        </p>
        <p className="mt-1 whitespace-pre-line">
          {say('“{words}”', { words: objection.objection ?? '' })}
        </p>
        {objectedAt && (
          <p className="mt-1 text-sm text-muted">
            <time dateTime={objectedAt}>{formatTime(objectedAt)}</time>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <UndoButton {...acting} />
        <ActButton
          act={({ words = '' }) => requestGraphql(config, answer, { id: linkId, words })}
          busyWords={say('Answering...')}
          label={say('Keep down: {name}', { name })}
          onDone={() => onDone(say('{name} stays down, and its seller is told.', { name }))}
          question={{
            title: say('Keep {name} down?', { name }),
            text: say('Its seller is told by email, and cannot object again.'),
            fields: <WordsField hint={say('Emailed to its seller.')} label={say('Your answer')} />,
          }}
          tone="danger"
          words={say('Keep down')}
        />
      </div>
    </li>
  );
}

const dismiss = graphql(
  'mutation DismissReport($id: ID!, $words: String!) { dismissReport(id: $id, words: $words) }',
);

function ReportRow({ report, config, onDone }: Acting & { report: Report }) {
  const { id, linkId, title, reason, words, email, createdAt } = report;
  const name = nameLink({ id: linkId, title });
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="font-medium">
          <RowLink href={searchAddress('/operator/links', linkId)}>{name}</RowLink>
        </p>
        <p className="text-sm text-muted">{describeReason(reason)}</p>
        <p className="mt-1 whitespace-pre-line">{say('“{words}”', { words })}</p>
        <p className="mt-1 text-sm text-muted">
          {formatTime(createdAt)}
          {email && `, ${email}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <TakeDownButton config={config} id={linkId} name={name} onDone={onDone} reason={reason} />
        <ActButton
          act={(values) => requestGraphql(config, dismiss, { id, words: values.words ?? '' })}
          busyWords={say('Dismissing...')}
          label={say('Dismiss the report about {name}', { name })}
          onDone={() => onDone(say('The report about {name} was dismissed.', { name }))}
          question={{
            title: say('Dismiss this report?'),
            text: say('{name} stays as it is, and nobody is told.', { name }),
            fields: <WordsField hint={say('Kept in the activity log.')} label={say('Why?')} />,
          }}
          tone="secondary"
          words={say('Dismiss')}
        />
      </div>
    </li>
  );
}
