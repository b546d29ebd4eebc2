import { putIntoEnglish } from '../../../contract/fact.ts';
import { BY_ID, builder } from '../../edge/graphql/builder.ts';
import { requireOperator } from '../../ground/acts/operator-of.ts';
import { dropDeadJob, listJobs, retryFailedJobs } from '../../ground/outbox/jobs.ts';
import { listWaitingPayouts } from '../../money/payouts/list-payouts.ts';
import { approvePayout, refusePayout } from '../../money/payouts/request-payout.ts';
import { operatorMutation } from '../../people/operators/graphql.ts';
import { readOverview } from './read-overview.ts';
import type { Period } from './sum-site.ts';

const LISTED_JOBS = 50;

const OverviewPeriod = builder.simpleObject('OverviewPeriod', {
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
    today: t.field({ type: OverviewPeriod, description: 'The UTC day that is not over.' }),
    week: t.field({
      type: OverviewPeriod,
      description: 'The last seven UTC days, today included.',
    }),
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
    isBegun: t.boolean({
      description:
        'Whether a link was created, or anybody but the first operator came or is invited.',
    }),
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
      const overview = await readOverview(context);
      return {
        ...overview,
        version: context.version,
        today: presentPeriod(overview.today),
        week: presentPeriod(overview.week),
        owed: overview.owedCents,
        owing: overview.owingCents,
        inTransit: overview.inTransitCents,
        storage: putIntoEnglish(overview.storageFact),
        faults: overview.faultFacts.map(putIntoEnglish),
      };
    },
  }),
);

const presentPeriod = ({ sales, netCents: net, returnedCents: returned }: Period) => ({
  sales,
  net,
  returned,
});

builder.queryField('listFailedJobs', (t) =>
  t.field({
    type: [Job],
    nullable: true,
    description:
      'For operators: jobs that were given up, then those that will be tried again, the oldest first, at most 50 of each.',
    resolve: async (_root, _args, context) => {
      await requireOperator(context);
      const { dead, failing } = await listJobs(context.db, LISTED_JOBS);
      return [...dead, ...failing].map((job) => ({
        ...job,
        error: job.last_error,
        createdAt: job.created_at,
        diedAt: job.died_at,
      }));
    },
  }),
);

operatorMutation('retryJob', {
  description: 'runs a failing or given-up job now.',
  args: BY_ID,
  run: ({ db, now }, actor, { id }) => retryFailedJobs(db, actor, id, now()),
});

operatorMutation('dropJob', {
  description: 'discards a given-up job for good.',
  args: BY_ID,
  run: ({ db, now }, actor, { id }) => dropDeadJob(db, actor, id, now()),
});

builder.queryField('listWaitingPayouts', (t) =>
  t.field({
    type: [WaitingPayout],
    nullable: true,
    description: 'For operators: payouts that wait for approval, the oldest first, at most 50.',
    resolve: async (_root, _args, context) => {
      await requireOperator(context);
      const payouts = await listWaitingPayouts(context.db, context.mode);
      return payouts.map(({ amountCents: amount, ...payout }) => ({ ...payout, amount }));
    },
  }),
);

operatorMutation('approvePayout', {
  description: "lets a creator's first payout be sent, and all further ones of theirs.",
  args: BY_ID,
  run: ({ payouts }, actor, { id }) => approvePayout(payouts, actor, id),
});

operatorMutation('refusePayout', {
  description:
    'returns a payout that was not sent yet to the balance of its creator, who is mailed the reason.',
  args: builder.args((t) => ({
    id: t.id({ required: true }),
    reason: t.string({ required: true, description: 'A sentence for the creator.' }),
  })),
  run: ({ payouts }, actor, { id: payoutId, reason }) =>
    refusePayout(payouts, actor, { payoutId, reason }),
});
