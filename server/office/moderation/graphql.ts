import { builder, listOf, requireUser, requireWriter } from '../../edge/graphql/builder.ts';
import { listTakeDowns } from './list-take-downs.ts';
import { objectToTakeDown } from './object-to-take-down.ts';

const OwnTakeDown = builder.simpleObject('OwnTakeDown', {
  description: 'That the operator took one of your links down, and what was said of it.',
  fields: (t) => ({
    linkId: t.id(),
    title: t.string({ nullable: true }),
    reason: t.string({ description: 'As contract/moderation.ts names them.' }),
    words: t.string({ description: "The operator's." }),
    takenDownAt: t.field({ type: 'DateTime' }),
    objection: t.string({ nullable: true, description: 'Yours, if you objected.' }),
    answer: t.string({ nullable: true, description: "The operator's, to that." }),
  }),
});

const OwnTakeDownList = listOf('OwnTakeDownList', OwnTakeDown);

builder.queryField('listOwnTakeDowns', (t) =>
  t.field({
    type: OwnTakeDownList,
    nullable: true,
    description: "The signed-in creator's links that are taken down, the last one first.",
    args: { nextToken: t.arg.string() },
    resolve: async (_root, { nextToken: token = null }, context) =>
      listTakeDowns(context.db, { token, ownerId: requireUser(context).id }),
  }),
);

builder.mutationField('objectToTakeDown', (t) =>
  t.field({
    type: 'ID',
    description:
      'Tells the operators, once for each take-down, why a link of yours should be restored. Answers its id.',
    args: {
      id: t.arg.id({ required: true, description: 'Of the link.' }),
      words: t.arg.string({ required: true }),
    },
    resolve: async (_root, { id, words }, context) => {
      const { id: ownerId } = await requireWriter(context);
      await objectToTakeDown(context, { ownerId, id, words });
      return id;
    },
  }),
);
