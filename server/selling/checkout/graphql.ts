import { builder, ownMutation } from '../../edge/graphql/builder.ts';
import type { GivenLink } from './give-link.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext {
    /** Gives somebody a link of the giver's own; see give-link.ts. */
    giveLink(given: GivenLink): Promise<void>;
  }
}

ownMutation('giveLink', {
  description:
    'Gives someone one of your links for nothing. They are emailed a personal link, and you a receipt.',
  args: builder.args((t) => ({
    link: t.string({ required: true, description: 'Its id or address.' }),
    email: t.string({ required: true }),
    message: t.string({ description: 'Text without addresses, in their email.' }),
  })),
  async run({ address, requireSeller, giveLink }, giver, { link: named, ...recipient }) {
    await requireSeller(giver.id);
    await giveLink({ giver, address, named, recipient });
  },
});
