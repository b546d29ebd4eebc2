import { putIntoEnglish } from '../../../contract/fact.ts';
import { builder } from '../../edge/graphql/builder.ts';
import { requireActingOperator, requireOperator } from '../../ground/acts/operator-of.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { dropDeadJob, listJobs, retryFailedJobs } from '../../ground/outbox/jobs.ts';
import type { JobTable } from '../../ground/outbox/tables.ts';
import { listWaitingPayouts } from '../../money/payouts/list-payouts.ts';
import { approvePayout, refusePayout } from '../../money/payouts/request-payout.ts';
import { readOverview } from './read-overview.ts';

const LISTED_JOBS = 50;

const Period = builder.simpleObject('OverviewPeriod', {
  fields: (t) => ({
    sales: t.int(),
    net: t.float({ description: 'Cents that creators earned.' }),
    returned: t.float({ description: 'Cents that refunds and disputes took back.' }),
  }),
});

const Overview = builder.simpleObject('Overview', {
  description: 'How the site stands, as operators see it.',
  fields: (t) => ({
    version: t.string(),
    summedAt: t.field({
      type: 'DateTime',
      description: 'When `today`, `week`, `owed` and `owing` were added up.',
    }),
    today: t.field({ type: Period, description: 'The UTC day that is not over.' }),
    week: t.field({ type: Period, description: 'The last seven UTC days, today included.' }),
    owed: t.float({ description: 'Cents that creators have in their balances.' }),
    owing: t.float({ description: 'Cents that creators owe.' }),
    inTransit: t.float({ description: 'Cents of payouts that have not arrived.' }),
    database: t.string({ description: "'sqlite' or 'postgres'." }),
    databaseBytes: t.float(),
    storage: t.string({ description: 'Where files are.' }),
    storageFact: t.field({ type: 'Fact' }),
    freeBytes: t.float({ nullable: true, description: 'Of the disk; null for S3.' }),
    totalBytes: t.float({ nullable: true }),
    waitingJobs: t.int(),
    failingJobs: t.int({ description: 'Jobs that will be tried again.' }),
    deadJobs: t.int({ description: 'Jobs that were given up.' }),
    faults: t.stringList({ description: 'What is wrong, each with what to do.' }),
    faultFacts: t.field({ type: ['Fact'] }),
  }),
});

const Job = builder.simpleObject('Job', {
  description: 'Work that failed.',
  fields: (t) => ({
    id: t.id(),
    kind: t.string(),
    payload: t.string({ description: 'JSON: what it is about.' }),
    attempts: t.int({ description: 'Runs that ended with an error.' }),
    error: t.string({ nullable: true, description: 'Of the last run.' }),
    createdAt: t.field({ type: 'DateTime' }),
    diedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was given up; null while it will be tried again.',
    }),
  }),
});

const WaitingPayout = builder.simpleObject('WaitingPayout', {
  description: 'A payout that waits for an operator.',
  fields: (t) => ({
    id: t.id(),
    email: t.string({ nullable: true, description: 'Of the creator.' }),
    amount: t.float({ description: 'Cents.' }),
    bankAccount: t.string({ nullable: true }),
    requestedAt: t.field({ type: 'DateTime' }),
  }),
});

builder.queryField('getOverview', (t) =>
  t.field({
    type: Overview,
    nullable: true,
    description: 'For operators: sales, money, storage, jobs and what is wrong.',
    resolve: async (_root, _args, context) => {
      await requireOperator(context);
      const { today, week, database, storage, jobs, ...rest } = await readOverview(context);
      return {
        version: context.version,
        summedAt: isoTime(rest.summedAt),
        today: presentPeriod(today),
        week: presentPeriod(week),
        owed: rest.owedCents,
        owing: rest.owingCents,
        inTransit: rest.inTransitCents,
        database: database.kind,
        databaseBytes: database.bytes,
        storage: putIntoEnglish(storage.place),
        storageFact: storage.place,
        freeBytes: storage.freeBytes,
        totalBytes: storage.totalBytes,
        waitingJobs: jobs.waiting,
        failingJobs: jobs.failing,
        deadJobs: jobs.dead,
        faults: rest.faults.map(putIntoEnglish),
        faultFacts: rest.faults,
      };
    },
  }),
);

function presentPeriod(period: { sales: number; netCents: number; returnedCents: number }) {
  return { sales: period.sales, net: period.netCents, returned: period.returnedCents };
}

builder.queryField('listFailedJobs', (t) =>
  t.field({
    type: [Job],
    nullable: true,
    description:
      'For operators: jobs that were given up, then those that will be tried again, the oldest first, at most 50 of each.',
    resolve: async (_root, _args, context) => {
      await requireOperator(context);
      const { dead, failing } = await listJobs(context.db, LISTED_JOBS);
      return [...dead, ...failing].map(presentJob);
    },
  }),
);

function presentJob({ id, kind, payload, attempts, ...job }: JobTable) {
  return {
    id,
    kind,
    payload,
    attempts,
    error: job.last_error,
    createdAt: isoTime(job.created_at),
    diedAt: job.died_at === null ? null : isoTime(job.died_at),
  };
}

builder.mutationField('retryJob', (t) =>
  t.field({
    type: 'ID',
    description: 'For operators: runs a failing or given-up job now. Answers its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      await retryFailedJobs(context.db, await requireActingOperator(context), id, context.now());
      return id;
    },
  }),
);

builder.mutationField('dropJob', (t) =>
  t.field({
    type: 'ID',
    description: 'For operators: discards a given-up job for good. Answers its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      await dropDeadJob(context.db, await requireActingOperator(context), id, context.now());
      return id;
    },
  }),
);

builder.queryField('listWaitingPayouts', (t) =>
  t.field({
    type: [WaitingPayout],
    nullable: true,
    description: 'For operators: payouts that wait for approval, the oldest first, at most 50.',
    resolve: async (_root, _args, context) => {
      await requireOperator(context);
      const payouts = await listWaitingPayouts(context.db, context.mode);
      return payouts.map(({ amountCents: amount, requestedAt, ...payout }) => ({
        ...payout,
        amount,
        requestedAt: isoTime(requestedAt),
      }));
    },
  }),
);

builder.mutationField('approvePayout', (t) =>
  t.field({
    type: 'ID',
    description:
      "For operators: lets a creator's first payout be sent, and all further ones of theirs. Answers its id.",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      await approvePayout(context.payouts, await requireActingOperator(context), id);
      return id;
    },
  }),
);

builder.mutationField('refusePayout', (t) =>
  t.field({
    type: 'ID',
    description:
      'For operators: returns a payout that was not sent yet to the balance of its creator, who is mailed the reason. Answers its id.',
    args: {
      id: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true, description: 'A sentence for the creator.' }),
    },
    resolve: async (_root, { id: payoutId, reason }, context) => {
      const actor = await requireActingOperator(context);
      await refusePayout(context.payouts, actor, { payoutId, reason });
      return payoutId;
    },
  }),
);
