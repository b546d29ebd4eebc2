import {
  builder,
  type InputFieldMap,
  listOf,
  type MutationOptions,
} from '../../edge/graphql/builder.ts';
import {
  type Actor,
  requireActingOperator,
  requireOperator,
} from '../../ground/acts/operator-of.ts';
import { SUBJECT_KINDS, type SubjectKind } from '../../ground/acts/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { listActs } from './list-acts.ts';
import { removeOperator } from './remove-operator.ts';

/**
 * Describes what operators alone do to something, by its id, which is answered: in the words that
 * follow “For operators: ”.
 */
export function operatorMutation<Args extends InputFieldMap>(
  name: string,
  { description, args, run }: MutationOptions<Actor, Args>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: 'ID',
      description: `For operators: ${description} Answers its id.`,
      args,
      resolve: async (_root, given, context) => {
        await run(context, await requireActingOperator(context), given);
        return (given as { id: string }).id;
      },
    }),
  );
}

const Act = builder.simpleObject('Act', {
  description: 'What an operator did. Acts are never changed or deleted.',
  fields: (t) => ({
    id: t.id(),
    actedAt: t.field({ type: 'DateTime' }),
    actorKind: t.string({ description: "'account', 'service-key' or 'cli'." }),
    actorEmail: t.string({
      nullable: true,
      description: 'The address of the account now; null for one that was deleted.',
    }),
    act: t.string({ description: "Such as 'seller.suspended'." }),
    subjectKind: t.string({ description: `One of ${SUBJECT_KINDS.join(', ')}.` }),
    subjectId: t.string(),
    reason: t.string({ nullable: true }),
    details: t.string({ nullable: true, description: 'JSON.' }),
  }),
});

const ActList = listOf('ActList', Act);

builder.queryField('listActs', (t) =>
  t.field({
    type: ActList,
    description:
      'For operators: what operators did, newest first, or what was done to one subject.',
    args: {
      subjectKind: t.arg.string(),
      subjectId: t.arg.string({ description: 'Goes with subjectKind.' }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { subjectKind, subjectId, nextToken: token = null }, context) => {
      await requireOperator(context);
      const subject = readSubject(subjectKind, subjectId);
      return listActs(context.db, { token, ...subject });
    },
  }),
);

operatorMutation('removeOperator', {
  description:
    'makes another operator an ordinary account; never the last one, nor one that OPERATOR_EMAILS names.',
  args: builder.args((t) => ({
    id: t.id({ required: true }),
    reason: t.string({ required: true, description: 'Kept with the act.' }),
  })),
  run: (context, actor, { id: userId, reason }) =>
    removeOperator(context, actor, { userId, reason }),
});

/** @throws DomainError INVALID_INPUT */
function readSubject(
  kind: string | null | undefined,
  id: string | null | undefined,
): { subject?: { kind: SubjectKind; id: string } } {
  if (kind == null && id == null) return {};
  const known = SUBJECT_KINDS.find((one) => one === kind);
  if (known && id != null) return { subject: { kind: known, id } };
  throw new DomainError('INVALID_INPUT', 'Give both subjectKind and subjectId, or neither.');
}
