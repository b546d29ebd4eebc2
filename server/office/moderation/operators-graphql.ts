import { seenText } from '../../../contract/characters.ts';
import { MODERATION_REASONS } from '../../../contract/moderation.ts';
import { builder } from '../../edge/graphql/builder.ts';
import { requireActingOperator, requireOperator } from '../../ground/acts/operator-of.ts';
import { isoTime } from '../../ground/lib/time.ts';
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

const ReportList = builder.simpleObject('ReportList', {
  fields: (t) => ({
    items: t.field({ type: [Report] }),
    nextToken: t.string({ nullable: true }),
  }),
});

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

const TakeDownList = builder.simpleObject('TakeDownList', {
  fields: (t) => ({
    items: t.field({ type: [TakeDown] }),
    nextToken: t.string({ nullable: true }),
  }),
});

builder.queryField('listReports', (t) =>
  t.field({
    type: ReportList,
    nullable: true,
    description: 'For operators: what visitors reported, newest first, 50 at a time.',
    args: {
      open: t.arg.boolean({ description: 'Only what nobody has dealt with yet.' }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { open, nextToken: token }, context) => {
      await requireOperator(context);
      const asked = { token: token ?? null, isOpen: open ?? false };
      const { reports, nextToken } = await listReports(context.db, asked);
      const items = reports.map((report) => ({
        ...report,
        createdAt: isoTime(report.createdAt),
        closedAt: timeOf(report.closedAt),
      }));
      return { items, nextToken };
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
    resolve: async (_root, { waiting, nextToken: token }, context) => {
      await requireOperator(context);
      const asked = { token: token ?? null, isWaiting: waiting ?? false };
      const { takeDowns, nextToken } = await listTakeDowns(context.db, asked);
      const items = takeDowns.map((row) => ({
        id: row.id,
        linkId: row.link_id,
        title: seenText(row.title),
        reason: row.reason,
        words: row.words,
        takenDownAt: isoTime(row.taken_down_at),
        objection: row.objection,
        objectedAt: timeOf(row.objected_at),
        answer: row.answer,
        answeredAt: timeOf(row.answered_at),
        undoneAt: timeOf(row.undone_at),
      }));
      return { items, nextToken };
    },
  }),
);

builder.mutationField('takeDownLink', (t) =>
  t.field({
    type: 'ID',
    description:
      'For operators: takes a link from everybody at once, and refuses its files from then on. Its seller and its buyers are mailed. Answers its id.',
    args: {
      id: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true, description: REASON }),
      words: t.arg.string({ required: true, description: 'For its seller.' }),
      refundDays: t.arg.int({
        description: 'Refunds in full whoever bought it in so many days; nobody if left out.',
      }),
    },
    resolve: async (_root, { refundDays, ...input }, context) => {
      const actor = await requireActingOperator(context);
      await takeDownLink(context, { actor, ...input, refundDays: refundDays ?? null });
      return input.id;
    },
  }),
);

builder.mutationField('undoTakeDown', (t) =>
  t.field({
    type: 'ID',
    description:
      'For operators: gives a link that was taken down back as it was; whoever was refunded stays so. Its seller is mailed. Answers its id.',
    args: {
      id: t.arg.id({ required: true, description: 'Of the link.' }),
      words: t.arg.string({ required: true, description: 'Why; kept with the act.' }),
    },
    resolve: async (_root, input, context) => {
      const actor = await requireActingOperator(context);
      await undoTakeDown(context, { actor, ...input });
      return input.id;
    },
  }),
);

builder.mutationField('answerObjection', (t) =>
  t.field({
    type: 'ID',
    description:
      'For operators: tells a seller who objected why the link stays down. Answers its id.',
    args: {
      id: t.arg.id({ required: true, description: 'Of the link.' }),
      words: t.arg.string({ required: true, description: 'For its seller.' }),
    },
    resolve: async (_root, input, context) => {
      const actor = await requireActingOperator(context);
      await answerObjection(context, { actor, ...input });
      return input.id;
    },
  }),
);

builder.mutationField('dismissReport', (t) =>
  t.field({
    type: 'ID',
    description: 'For operators: closes a report without a take-down. Answers its id.',
    args: {
      id: t.arg.id({ required: true }),
      words: t.arg.string({ required: true, description: 'Why; kept with the act.' }),
    },
    resolve: async (_root, input, context) => {
      const actor = await requireActingOperator(context);
      await dismissReport(context, { actor, ...input });
      return input.id;
    },
  }),
);

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}
