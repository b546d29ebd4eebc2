import { builder, requireReader } from '../../edge/graphql/builder.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { CheckoutGift } from '../../selling/paywall/checkout-graphql.ts';
import { LinkFace } from '../../selling/paywall/graphql.ts';
import { listPurchases } from './list-purchases.ts';

const Purchase = builder.simpleObject('Purchase', {
  description: 'One that the viewer holds or gave to somebody, in the words of its checkout.',
  fields: (t) => ({
    id: t.id(),
    linkId: t.id(),
    title: t.string({ nullable: true }),
    face: t.field({ type: LinkFace, description: 'As the link is now.' }),
    seller: t.string({ nullable: true, description: 'The name its seller had then, if any.' }),
    price: t.int({
      nullable: true,
      description: 'Cents that were paid; null for a gift, of which only its buyer is told.',
    }),
    paidAt: t.string(),
    type: t.string({ description: "'file', 'link' or 'bundle'." }),
    files: t.int({ description: 'How many were bought with it; 0 for a bundle.' }),
    state: t.string({
      description:
        "'active', 'suspended' (disputed), 'ended' (the payment was returned) or 'unavailable' " +
        '(what was bought is taken down).',
    }),
    gift: t.field({
      type: CheckoutGift,
      nullable: true,
      description: 'Where the viewer gave it to somebody else, who alone has access.',
    }),
    here: t.boolean({ description: 'Held by this browser, whoever is signed in.' }),
  }),
});

const PurchaseConnection = builder.simpleObject('PurchaseConnection', {
  fields: (t) => ({
    items: t.field({ type: [Purchase] }),
    nextToken: t.string({ nullable: true }),
    here: t.boolean({ description: 'Whether this browser holds any purchase, on any page.' }),
  }),
});

builder.queryField('listPurchases', (t) =>
  t.field({
    type: PurchaseConnection,
    nullable: true,
    description: 'What this browser and the account signed in to it bought, newest first.',
    args: { nextToken: t.arg.string() },
    resolve: async (_root, { nextToken: after }, context) => {
      requireReader(context);
      const { purchases, nextToken, isAnyHere } = await listPurchases(context, after);
      const items = purchases.map(
        ({ sellerName, paidCents, paidAt, isHere, givenTo, ...purchase }) => ({
          ...purchase,
          seller: sellerName,
          price: paidCents,
          paidAt: isoTime(paidAt),
          gift: givenTo === null ? null : { email: givenTo, url: context.giftUrl(purchase.id) },
          here: isHere,
        }),
      );
      return { items, nextToken, here: isAnyHere };
    },
  }),
);
