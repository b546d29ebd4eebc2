import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { formatTime, nameLink } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { OperatorFrame, Section, useActs } from './operator-frame.tsx';
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
  head: () => ({ title: `${say('Reports')} · Padlink`, robots: 'noindex' }),
  Component: OperatorReports,
});

/** What waits for a decision: what visitors report, and what sellers object to take-downs. */
function OperatorReports({ data, ctx }: PageProps<Data>) {
  const { config, path } = ctx;
  const variables = readVariables(ctx);
  const read = () => needSession(requestGraphql(config, query, variables));
  const { shown, done, tell } = useActs(data, read);
  const { listTakeDowns: objections, listReports: reports } = shown;
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Reports')}>
      <Section id="objections" title={say('Objections of sellers')}>
        {!objections && <ListFailed address={path} what={say('The objections')} />}
        {objections?.items.length === 0 && (
          <p className="text-muted">{say('No seller objects.')}</p>
        )}
        {objections && objections.items.length > 0 && (
          <ul className="card divide-y divide-line">
            {objections.items.map((objection) => (
              <ObjectionRow
                config={config}
                key={objection.id}
                objection={objection}
                onDone={tell}
              />
            ))}
          </ul>
        )}
        {objections?.nextToken && (
          <p className="mt-4 text-muted">{say('There are more; these are the newest.')}</p>
        )}
      </Section>
      <Section id="reports" title={say('Reports of visitors')}>
        {!reports && <ListFailed address={path} what={say('The reports')} />}
        {reports?.items.length === 0 && (
          <p className="text-muted">{say('No report waits for you.')}</p>
        )}
        {reports && reports.items.length > 0 && (
          <ul className="card divide-y divide-line">
            {reports.items.map((report) => (
              <ReportRow config={config} key={report.id} onDone={tell} report={report} />
            ))}
          </ul>
        )}
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

interface RowProps {
  config: RuntimeConfig;
  onDone(words: string): Promise<void>;
}

const answer = graphql(
  'mutation AnswerObjection($id: ID!, $words: String!) { answerObjection(id: $id, words: $words) }',
);

function ObjectionRow({ objection, config, onDone }: RowProps & { objection: Objection }) {
  const { linkId, title, reason, words, objectedAt } = objection;
  const name = nameLink({ id: linkId, title });
  const acting = { config, id: linkId, name, onDone };
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <LinkTitle id={linkId} name={name} />
        <p className="text-sm text-muted">
          {say('Taken down: {reason}. {words}', { reason: describeReason(reason), words })}
        </p>
        <p className="mt-1 whitespace-pre-line">
          {say('“{words}”', { words: objection.objection ?? '' })}
        </p>
        {objectedAt && <Time at={objectedAt} />}
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

function ReportRow({ report, config, onDone }: RowProps & { report: Report }) {
  const { id, linkId, title, reason, words, email, createdAt } = report;
  const name = nameLink({ id: linkId, title });
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <LinkTitle id={linkId} name={name} />
        <p className="text-sm text-muted">{describeReason(reason)}</p>
        <p className="mt-1 whitespace-pre-line">{say('“{words}”', { words })}</p>
        <Time at={createdAt}>{email && `, ${email}`}</Time>
      </div>
      <div className="flex flex-wrap gap-2">
        <TakeDownButton config={config} id={linkId} name={name} onDone={onDone} reason={reason} />
        <ActButton
          act={(values) => requestGraphql(config, dismiss, { id, words: values.words ?? '' })}
          busyWords={say('Dismissing...')}
          label={say('Dismiss the report of {name}', { name })}
          onDone={() => onDone(say('The report of {name} was dismissed.', { name }))}
          question={{
            title: say('Dismiss this report?'),
            text: say('{name} stays as it is, and nobody is told.', { name }),
            fields: <WordsField hint={say('Kept in the log of acts.')} label={say('Why?')} />,
          }}
          tone="secondary"
          words={say('Dismiss')}
        />
      </div>
    </li>
  );
}

/** Leads to all that is known of the link. */
function LinkTitle({ id, name }: { id: string; name: string }) {
  return (
    <p className="font-medium">
      <a
        className="text-link -my-2.5 inline-block py-2.5"
        dir="auto"
        href={`/operator/links?${new URLSearchParams({ search: id })}`}
      >
        {name}
      </a>
    </p>
  );
}

function Time({ at, children }: { at: string; children?: string | null }) {
  return (
    <p className="mt-1 text-sm text-muted">
      <time dateTime={at}>{formatTime(at)}</time>
      {children}
    </p>
  );
}
