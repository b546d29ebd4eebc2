import { builder, ownMutation, requireReader } from '../../edge/graphql/builder.ts';
import type { GivenLink } from './give-link.ts';
import type { WaysToPay } from './ways-to-pay.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext {
    /** Gives somebody a link of the giver's own; see give-link.ts. */
    giveLink(given: GivenLink): Promise<void>;
    waysToPay: Pick<WaysToPay, 'list'>;
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

builder.queryField('listWaysToPay', (t) =>
  t.stringList({
    description:
      "How buyers may pay, by Stripe's names, such as 'card' and 'apple_pay'. Which of them a buyer is offered depends on their device and country as well. Empty while it is not known, and in the sandbox, which takes test cards.",
    resolve: (_root, _args, context) => {
      requireReader(context);
      return context.waysToPay.list();
    },
  }),
);
