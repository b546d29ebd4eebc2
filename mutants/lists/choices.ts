import type { Mutant } from '../mutant.ts';

const tests = ['tests/choices/choices.test.ts'];
const CHOICES = 'server/catalog/links/choices.ts';

export const mutants: Mutant[] = [
  {
    fault: "another's link becomes a choice",
    file: CHOICES,
    find: `.where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('choice_group', 'is', null)`,
    replace: `.where('deleted_at', 'is', null)
    .where('choice_group', 'is', null)`,
    tests,
    titles: 'sqlite.+leaves those before it',
  },
  {
    fault: 'a group takes a link away from another',
    file: CHOICES,
    find: `
    .where('choice_group', 'is', null)`,
    replace: '',
    tests,
    titles: 'sqlite.+at once',
  },
  {
    fault: 'a choice that was taken down is shown',
    file: 'server/selling/paywall/choices-graphql.ts',
    find: 'findVisibleLink(context, context.viewer, link)',
    replace: 'new PresentedLink(context, context.viewer, link)',
    tests,
    titles: 'sqlite.+told to nobody',
  },
  {
    fault: 'the page of a choice keeps what another cost before',
    file: 'server/catalog/links/queries.ts',
    find: ' && found.choice_group === null',
    replace: '',
    tests,
    titles: 'sqlite.+as they are now',
  },
];
