import { MODERATION_REASONS } from '../../../contract/moderation.ts';
import { builder, listOf } from '../../edge/graphql/builder.ts';
import { requireOperator } from '../../ground/acts/operator-of.ts';
import { operatorMutation } from '../../people/operators/graphql.ts';
import { answerObjection } from './answer-objection.ts';
import { dismissReport } from './dismiss-report.ts';
import { listReports } from './list-reports.ts';
import { listTakeDowns } from './list-take-downs.ts';
import { takeDownLink } from './take-down-link.ts';
import { undoTakeDown } from './undo-take-down.ts';

const REASON = `One of ${Object.keys(MODERATION_REASONS).join(', ')}.`;

const Report = builder.simpleObject('Report', {
  description: 'What a visitor said of a link.',
  fields: (t) => ({
    id: t.id(),
    linkId: t.id(),
    title: t.string({ nullable: true, description: 'Of the link.' }),
    reason: t.string({ description: REASON }),
    words: t.string(),
    email: t.string({ nullable: true, description: "The visitor's, if one was given." }),
    createdAt: t.field({ type: 'DateTime' }),
    closedAt: t.field({ type: 'DateTime', nullable: true }),
  }),
});

const ReportList = listOf('ReportList', Report);

const TakeDown = builder.simpleObject('TakeDown', {
  fields: (t) => ({
    id: t.id(),
    linkId: t.id(),
    title: t.string({ nullable: true }),
    reason: t.string({ description: REASON }),
    words: t.string({ description: 'As its seller was told.' }),
    takenDownAt: t.field({ type: 'DateTime' }),
    objection: t.string({ nullable: true, description: "Its seller's." }),
    objectedAt: t.field({ type: 'DateTime', nullable: true }),
    answer: t.string({ nullable: true, description: 'To the objection.' }),
    answeredAt: t.field({ type: 'DateTime', nullable: true }),
    undoneAt: t.field({ type: 'DateTime', nullable: true }),
  }),
});

const TakeDownList = listOf('TakeDownList', TakeDown);

builder.queryField('listReports', (t) =>
  t.field({
    type: ReportList,
    nullable: true,
    description: 'For operators: what visitors reported, newest first, 50 at a time.',
    args: {
      open: t.arg.boolean({ description: 'Only what nobody has dealt with yet.' }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { open, nextToken: token = null }, context) => {
      await requireOperator(context);
      return listReports(context.db, { token, isOpen: open ?? false });
    },
  }),
);

builder.queryField('listTakeDowns', (t) =>
  t.field({
    type: TakeDownList,
    nullable: true,
    description: 'For operators: take-downs, newest first, 50 at a time, undone ones included.',
    args: {
      waiting: t.arg.boolean({ description: 'Only those whose seller waits for an answer.' }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { waiting, nextToken: token = null }, context) => {
      await requireOperator(context);
      return listTakeDowns(context.db, { token, isWaiting: waiting ?? false });
    },
  }),
);

operatorMutation('takeDownLink', {
  description:
    'takes a link from everybody at once, and refuses its files from then on. Its seller and its buyers are mailed.',
  args: builder.args((t) => ({
    id: t.id({ required: true }),
    reason: t.string({ required: true, description: REASON }),
    words: t.string({ required: true, description: 'For its seller.' }),
    refundDays: t.int({
      description: 'Refunds in full whoever bought it in so many days; nobody if left out.',
    }),
  })),
  run: (context, actor, input) => takeDownLink(context, { actor, ...input }),
});

operatorMutation('undoTakeDown', {
  description:
    'gives a link that was taken down back as it was; whoever was refunded stays so. Its seller is mailed.',
  args: builder.args((t) => ({
    id: t.id({ required: true, description: 'Of the link.' }),
    words: t.string({ required: true, description: 'Why; kept with the act.' }),
  })),
  run: (context, actor, input) => undoTakeDown(context, { actor, ...input }),
});

operatorMutation('answerObjection', {
  description: 'tells a seller who objected why the link stays down.',
  args: builder.args((t) => ({
    id: t.id({ required: true, description: 'Of the link.' }),
    words: t.string({ required: true, description: 'For its seller.' }),
  })),
  run: (context, actor, input) => answerObjection(context, { actor, ...input }),
});

operatorMutation('dismissReport', {
  description: 'closes a report without a take-down.',
  args: builder.args((t) => ({
    id: t.id({ required: true }),
    words: t.string({ required: true, description: 'Why; kept with the act.' }),
  })),
  run: (context, actor, input) => dismissReport(context, { actor, ...input }),
});
