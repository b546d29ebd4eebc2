import type { ReactNode } from 'react';
import type { Fact } from '../../../contract/fact.ts';
import { say, spoken, tell } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatTime, sayBytes, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { formatSum } from '../../money/payouts/money-query.ts';
import { definePage, type PageProps } from '../../page.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { WarningIcon } from '../../ui/icons.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { FirstSteps } from './first-steps.tsx';
import {
  type Acting,
  CardList,
  OperatorFrame,
  ReasonField,
  Section,
  useActs,
} from './operator-frame.tsx';

const query = graphql(`
  query Operator {
    getOverview {
      version summedAt
      today { sales net returned }
      week { sales net returned }
      owed owing inTransit
      database databaseBytes storage: storageFact freeBytes totalBytes
      waitingJobs failingJobs deadJobs isBegun
      faults: faultFacts
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
  head: () => ({ title: say('Operator'), robots: 'noindex' }),
  Component: OperatorPage,
});

/** How the site stands, and what waits for its operator. */
function OperatorPage(props: PageProps<Data>) {
  const { ctx } = props;
  const { path } = ctx;
  const { shown, done, acting } = useActs(props, query, {});
  const { getOverview: overview, listWaitingPayouts: payouts, listFailedJobs: jobs } = shown;
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Operator')}>
      {overview ? (
        <>
          <Health faults={overview.faults} />
          <FirstSteps {...acting} isBegun={overview.isBegun} />
          <Figures overview={overview} />
        </>
      ) : (
        <ListFailed address={path} what={say('The overview')} />
      )}
      <Section id="payouts" title={say('Payouts to approve')}>
        <CardList
          address={path}
          empty={<p className="text-muted">{say('No payouts to approve.')}</p>}
          items={payouts}
          what={say('The payouts')}
        >
          {(payout) => <PayoutRow key={payout.id} {...acting} payout={payout} />}
        </CardList>
      </Section>
      <Section id="jobs" title={say('Failed jobs')}>
        <CardList
          address={path}
          empty={<p className="text-muted">{say('No failed jobs.')}</p>}
          items={jobs}
          what={say('The failed jobs')}
        >
          {(job) => <JobRow key={job.id} {...acting} job={job} />}
        </CardList>
      </Section>
      {overview && (
        <p className="text-sm text-muted">
          {say('Sales and money held for sellers are as of {moment}. Padlink {version}', {
            moment: sayMinute(overview.summedAt),
            version: overview.version,
          })}
        </p>
      )}
    </OperatorFrame>
  );
}

/** "2026-11-21, 06:38 UTC" */
function sayMinute(isoTime: string): string {
  return spoken()?.second(isoTime) ?? `${isoTime.slice(0, 16).replace('T', ', ')} UTC`;
}

/** What is wrong, each with what to do. */
function Health({ faults }: { faults: Fact[] }) {
  if (faults.length === 0)
    return <p className="text-lg text-muted">{say('Everything is in order.')}</p>;
  return (
    <ul aria-label={say('What is wrong')} className="space-y-3">
      {faults.map((fault) => (
        <li className="alert" key={fault.text}>
          <WarningIcon className="mt-0.5 size-5 shrink-0" />
          <span className="wrap-anywhere">{tell(fault)}</span>
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
      <Figure hint={describeEarnings(today)} name={say('Sales today (UTC)')}>
        {today.sales}
      </Figure>
      <Figure hint={describeEarnings(week)} name={say('Sales in 7 days')}>
        {week.sales}
      </Figure>
      <Figure
        hint={owing > 0 ? say('Sellers owe {sum}', { sum: formatSum(owing) }) : undefined}
        name={say('Held for sellers')}
      >
        {formatSum(owed)}
      </Figure>
      <Figure name={say('Payouts under way')}>{formatSum(inTransit)}</Figure>
      <Figure hint={describeJobs(overview)} name={say('Jobs waiting')}>
        {overview.waitingJobs}
      </Figure>
      <Figure hint={DATABASES[overview.database] ?? overview.database} name={say('Database')}>
        {sayBytes(overview.databaseBytes)}
      </Figure>
      <Figure
        hint={
          totalBytes === null
            ? undefined
            : say('of {size}, in {place}', {
                size: sayBytes(totalBytes),
                place: tell(overview.storage),
              })
        }
        name={say('Room for files')}
      >
        {freeBytes === null
          ? tell(overview.storage)
          : say('{size} free', { size: sayBytes(freeBytes) })}
      </Figure>
    </dl>
  );
}

function describeEarnings({ net, returned }: Overview['today']): string {
  const sum = formatSum(net);
  if (returned === 0) return say('{sum} for sellers', { sum });
  return say('{sum} for sellers, {returned} returned', { sum, returned: formatSum(returned) });
}

const describeJobs = ({ failingJobs, deadJobs }: Overview) =>
  say('{failing} will be retried, {dead} given up', { failing: failingJobs, dead: deadJobs });

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

const approve = graphql('mutation ApprovePayout($id: ID!) { approvePayout(id: $id) }');
const refuse = graphql(
  'mutation RefusePayout($id: ID!, $reason: String!) { refusePayout(id: $id, reason: $reason) }',
);

function PayoutRow({ payout, config, onDone }: Acting & { payout: Payout }) {
  const { id, email, amount, bankAccount, requestedAt } = payout;
  const who = email ?? say('a deleted account');
  const payment = { sum: formatSum(amount), who };
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="font-medium">{who}</p>
        <p className="text-sm text-muted">
          <time dateTime={requestedAt}>{formatTime(requestedAt)}</time>
          {bankAccount && `. ${say('To {account}.', { account: bankAccount })}`}
        </p>
      </div>
      <p className="text-lg font-semibold tabular-nums">{formatSum(amount)}</p>
      <div className="flex flex-wrap gap-2">
        <ActButton
          act={() => requestGraphql(config, approve, { id })}
          busyWords={say('Approving...')}
          label={say('Approve the payout of {sum} to {who}', payment)}
          onDone={() => onDone(say('The payout of {sum} to {who} was approved.', payment))}
          question={{
            title: say('Approve this payout?'),
            text: say(
              '{sum} to {who}: it is sent now. This seller’s later payouts will not need your approval.',
              payment,
            ),
          }}
          tone="secondary"
          words={say('Approve')}
        />
        <ActButton
          act={({ reason = '' }) => requestGraphql(config, refuse, { id, reason })}
          busyWords={say('Refusing...')}
          label={say('Refuse the payout of {sum} to {who}', payment)}
          onDone={() => onDone(say('The payout of {sum} to {who} was refused.', payment))}
          question={{
            title: say('Refuse this payout?'),
            text: say('{sum} to {who}: the money goes back to the seller’s balance.', payment),
            fields: <ReasonField hint={say('A sentence for the seller, who gets it by email.')} />,
          }}
          tone="danger"
          words={say('Refuse')}
        />
      </div>
    </li>
  );
}

const retry = graphql('mutation RetryJob($id: ID!) { retryJob(id: $id) }');
const drop = graphql('mutation DropJob($id: ID!) { dropJob(id: $id) }');

function JobRow({ job, config, onDone }: Acting & { job: Job }) {
  const { id, kind, payload, attempts, error, createdAt, diedAt } = job;
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span translate="no">{kind}</span>
          <span className="badge">{say(diedAt ? 'Given up' : 'Will be retried')}</span>
        </p>
        <p className="text-sm text-muted">
          {sayWith('{time}, failed {times}', {
            time: <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
            times: sayCount(attempts, '1 time', '{count} times'),
          })}
        </p>
        {error && <p className="mt-1 text-sm">{error}</p>}
        <p className="mt-1 text-sm text-muted">
          <code>{payload}</code>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ActButton
          act={() => requestGraphql(config, retry, { id })}
          busyWords={say('Retrying...')}
          label={say('Retry the job {kind} {id}', { kind, id })}
          onDone={() => onDone(say('The job {kind} runs again now.', { kind }))}
          tone="secondary"
          words={say('Retry')}
        />
        {diedAt && (
          <ActButton
            act={() => requestGraphql(config, drop, { id })}
            busyWords={say('Dropping...')}
            label={say('Drop the job {kind} {id}', { kind, id })}
            onDone={() => onDone(say('The job {kind} was dropped.', { kind }))}
            question={{
              title: say('Drop the job {kind}?', { kind }),
              text: say('What it was meant to do will not be done. This cannot be undone.'),
            }}
            tone="danger"
            words={say('Drop')}
          />
        )}
      </div>
    </li>
  );
}
