import type { ReactNode } from 'react';
import { formatBytes } from '../../contract/format.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { countOf, formatTime } from '../lib/format.ts';
import { graphql, type ResultOf } from '../lib/graphql.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { needSession } from '../lib/sign-in-again.ts';
import { formatSum } from '../money/money-query.ts';
import { definePage, type PageProps } from '../page.ts';
import { Field } from '../ui/field.tsx';
import { WarningIcon } from '../ui/icons.tsx';
import { ListFailed } from '../ui/list-parts.tsx';
import { ActButton } from './act-button.tsx';
import { OperatorFrame, Section, useActs } from './operator-frame.tsx';

const query = graphql(`
  query Operator {
    getOverview {
      version summedAt
      today { sales net returned }
      week { sales net returned }
      owed owing inTransit
      database databaseBytes storage freeBytes totalBytes
      waitingJobs failingJobs deadJobs
      faults
    }
    listWaitingPayouts { id email amount bankAccount requestedAt }
    listFailedJobs { id kind payload attempts error createdAt diedAt }
  }
`);

type Data = ResultOf<typeof query>;
type Overview = NonNullable<Data['getOverview']>;
type Payout = NonNullable<Data['listWaitingPayouts']>[number];
type Job = NonNullable<Data['listFailedJobs']>[number];

export const page = definePage({
  query,
  variables: () => ({}),
  fallback: { getOverview: null, listWaitingPayouts: null, listFailedJobs: null },
  status: (_, { failed }) => failed?.getOverview ?? failed?.listFailedJobs ?? 200,
  hydrate: 'now',
  head: () => ({ title: 'Operator · Padlink', robots: 'noindex' }),
  Component: OperatorPage,
});

/** How the site stands, and what waits for its operator. */
function OperatorPage({ data, ctx }: PageProps<Data>) {
  const { config, path } = ctx;
  const { shown, done, tell } = useActs(data, () => needSession(requestGraphql(config, query, {})));
  const { getOverview: overview, listWaitingPayouts: payouts, listFailedJobs: jobs } = shown;
  return (
    <OperatorFrame ctx={ctx} done={done} title="Operator">
      {overview ? (
        <>
          <Health faults={overview.faults} />
          <Figures overview={overview} />
        </>
      ) : (
        <ListFailed address={path} what="The overview" />
      )}
      <Section id="payouts" title="Payouts to approve">
        {!payouts && <ListFailed address={path} what="The payouts" />}
        {payouts?.length === 0 && <p className="text-muted">No payout waits for you.</p>}
        {payouts && payouts.length > 0 && (
          <ul className="card divide-y divide-line">
            {payouts.map((payout) => (
              <PayoutRow config={config} key={payout.id} onDone={tell} payout={payout} />
            ))}
          </ul>
        )}
      </Section>
      <Section id="jobs" title="Failed jobs">
        {!jobs && <ListFailed address={path} what="The failed jobs" />}
        {jobs?.length === 0 && <p className="text-muted">No job has failed.</p>}
        {jobs && jobs.length > 0 && (
          <ul className="card divide-y divide-line">
            {jobs.map((job) => (
              <JobRow config={config} job={job} key={job.id} onDone={tell} />
            ))}
          </ul>
        )}
      </Section>
      {overview && (
        <p className="text-sm text-muted">
          Sales and what is held for creators are as of{' '}
          {overview.summedAt.slice(0, 16).replace('T', ', ')} UTC. Padlink {overview.version}
        </p>
      )}
    </OperatorFrame>
  );
}

/** What is wrong, each with what to do. */
function Health({ faults }: { faults: string[] }) {
  if (faults.length === 0) return <p className="text-lg text-muted">Everything is in order.</p>;
  return (
    <ul aria-label="What is wrong" className="space-y-3">
      {faults.map((fault) => (
        <li className="alert" key={fault}>
          <WarningIcon className="mt-0.5 size-5 shrink-0" />
          <span className="wrap-anywhere">{fault}</span>
        </li>
      ))}
    </ul>
  );
}

const DATABASES: Record<string, string | undefined> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
};

function Figures({ overview }: { overview: Overview }) {
  const { today, week, owed, owing, inTransit, freeBytes, totalBytes } = overview;
  return (
    <dl className="card grid gap-x-8 gap-y-5 px-6 py-5 sm:grid-cols-2 lg:grid-cols-3">
      <Figure hint={describeEarnings(today)} name="Sales today (UTC)">
        {today.sales}
      </Figure>
      <Figure hint={describeEarnings(week)} name="Sales in 7 days">
        {week.sales}
      </Figure>
      <Figure
        hint={owing > 0 ? `${formatSum(owing)} is owed by creators` : undefined}
        name="Held for creators"
      >
        {formatSum(owed)}
      </Figure>
      <Figure name="Payouts under way">{formatSum(inTransit)}</Figure>
      <Figure hint={describeJobs(overview)} name="Jobs waiting">
        {overview.waitingJobs}
      </Figure>
      <Figure hint={DATABASES[overview.database] ?? overview.database} name="Database">
        {formatBytes(overview.databaseBytes)}
      </Figure>
      <Figure
        hint={
          totalBytes === null ? undefined : `of ${formatBytes(totalBytes)}, in ${overview.storage}`
        }
        name="Room for files"
      >
        {freeBytes === null ? overview.storage : `${formatBytes(freeBytes)} free`}
      </Figure>
    </dl>
  );
}

function describeEarnings({ net, returned }: Overview['today']): string {
  const earned = `${formatSum(net)} for creators`;
  return returned > 0 ? `${earned}, ${formatSum(returned)} returned` : earned;
}

const describeJobs = ({ failingJobs, deadJobs }: Overview) =>
  `${failingJobs} to be tried again, ${deadJobs} given up`;

interface FigureProps {
  name: string;
  hint?: string | undefined;
  children: ReactNode;
}

function Figure({ name, hint, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums wrap-anywhere">{children}</dd>
      {hint && <dd className="text-sm text-muted wrap-anywhere">{hint}</dd>}
    </div>
  );
}

interface RowProps {
  config: RuntimeConfig;
  onDone(words: string): Promise<void>;
}

const approve = graphql('mutation ApprovePayout($id: ID!) { approvePayout(id: $id) }');
const refuse = graphql(
  'mutation RefusePayout($id: ID!, $reason: String!) { refusePayout(id: $id, reason: $reason) }',
);

function PayoutRow({ payout, config, onDone }: RowProps & { payout: Payout }) {
  const { id, email, amount, bankAccount, requestedAt } = payout;
  const who = email ?? 'a deleted account';
  const words = `${formatSum(amount)} to ${who}`;
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="font-medium">{who}</p>
        <p className="text-sm text-muted">
          <time dateTime={requestedAt}>{formatTime(requestedAt)}</time>
          {bankAccount && `. To ${bankAccount}.`}
        </p>
      </div>
      <p className="text-lg font-semibold tabular-nums">{formatSum(amount)}</p>
      <div className="flex flex-wrap gap-2">
        <ActButton
          act={() => requestGraphql(config, approve, { id })}
          busyWords="Approving..."
          label={`Approve the payout of ${words}`}
          onDone={() => onDone(`The payout of ${words} was approved.`)}
          question={{
            title: 'Approve this payout?',
            text: `${words}: it is sent now. Further payouts of this creator will not wait for you.`,
          }}
          tone="secondary"
          words="Approve"
        />
        <ActButton
          act={({ reason = '' }) => requestGraphql(config, refuse, { id, reason })}
          busyWords="Refusing..."
          label={`Refuse the payout of ${words}`}
          onDone={() => onDone(`The payout of ${words} was refused.`)}
          question={{
            title: 'Refuse this payout?',
            text: `${words}: the money returns to the balance of the creator.`,
            fields: (
              <Field
                hint="A sentence for the creator, who gets it by email."
                label="Reason"
                maxLength={500}
                name="reason"
                required
              />
            ),
          }}
          tone="danger"
          words="Refuse"
        />
      </div>
    </li>
  );
}

const retry = graphql('mutation RetryJob($id: ID!) { retryJob(id: $id) }');
const drop = graphql('mutation DropJob($id: ID!) { dropJob(id: $id) }');

function JobRow({ job, config, onDone }: RowProps & { job: Job }) {
  const { id, kind, payload, attempts, error, createdAt, diedAt } = job;
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {kind}
          <span className="badge">{diedAt ? 'Given up' : 'Will be tried again'}</span>
        </p>
        <p className="text-sm text-muted">
          <time dateTime={createdAt}>{formatTime(createdAt)}</time>, failed{' '}
          {countOf(attempts, 'time')}
        </p>
        {error && <p className="mt-1 text-sm">{error}</p>}
        <p className="mt-1 text-sm text-muted">
          <code>{payload}</code>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ActButton
          act={() => requestGraphql(config, retry, { id })}
          busyWords="Retrying..."
          label={`Retry the job ${kind} ${id}`}
          onDone={() => onDone(`The job ${kind} runs again now.`)}
          tone="secondary"
          words="Retry"
        />
        {diedAt && (
          <ActButton
            act={() => requestGraphql(config, drop, { id })}
            busyWords="Dropping..."
            label={`Drop the job ${kind} ${id}`}
            onDone={() => onDone(`The job ${kind} was dropped.`)}
            question={{
              title: `Drop the job ${kind}?`,
              text: 'What it was to do will not be done. This cannot be undone.',
            }}
            tone="danger"
            words="Drop"
          />
        )}
      </div>
    </li>
  );
}
