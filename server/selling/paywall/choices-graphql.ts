import { MAX_CHOICE_LENGTH, MAX_CHOICES, MIN_CHOICES } from '../../../contract/limits.ts';
import { linksOfGroup, setChoices } from '../../catalog/links/choices.ts';
import { builder, type GraphqlContext } from '../../edge/graphql/builder.ts';
import { findVisibleLink, PaywallLink, PresentedLink } from './present-link.ts';
import { requireAuthor } from './require-author.ts';

builder.objectFields(PaywallLink, (t) => ({
  choice: t.string({
    nullable: true,
    description: 'What it is called among its choices; null where it is sold by itself.',
    resolve: (link) => link.choice.choice,
  }),
  choices: t.field({
    type: [PaywallLink],
    nullable: true,
    description:
      'The links that are choices of one thing, this one among them, in their order; null where it ' +
      'is sold by itself.',
    resolve: findChoices,
  }),
}));

/** Without those that this viewer may not know about. */
async function findChoices(
  { choice: { choice_group: group } }: PresentedLink,
  _args: object,
  context: GraphqlContext,
): Promise<PresentedLink[] | null> {
  if (group === null) return null;
  const links = await linksOfGroup(context.db, group);
  const found = links.map((link) => findVisibleLink(context, context.viewer, link));
  const choices = (await Promise.all(found)).filter((choice) => choice !== null);
  return choices.length < MIN_CHOICES ? null : choices;
}

const ChoiceInput = builder.inputType('ChoiceInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string({ required: true, description: `1 to ${MAX_CHOICE_LENGTH} characters.` }),
  }),
});

builder.mutationField('setChoices', (t) =>
  t.field({
    type: PaywallLink,
    description:
      'Makes links the choices of one thing: each stays a link, and its page leads to the others.',
    args: {
      id: t.arg.id({ required: true }),
      choices: t.arg({
        type: [ChoiceInput],
        required: true,
        description: `${MIN_CHOICES} to ${MAX_CHOICES} links of yours in their order, this one among them; none to sell each by itself again.`,
      }),
    },
    resolve: async (_root, { id, choices }, context) => {
      const author = await requireAuthor(context);
      const link = await setChoices(context, { author, id, choices });
      return new PresentedLink(context, context.viewer, link);
    },
  }),
);
