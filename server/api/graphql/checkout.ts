import { findLink } from '../../domain/links/queries.ts';
import { findPurchaseBySession, holdsPurchase } from '../../domain/purchases/queries.ts';
import { resendReceipt } from '../../domain/purchases/resend-receipt.ts';
import { findVisibleLink } from '../present-link.ts';
import { requireReader } from './authorize.ts';
import { builder } from './builder.ts';

const Checkout = builder.simpleObject('Checkout', {
  fields: (t) => ({
    sessionId: t.id(),
    state: t.string({
      description:
        "'open' (not paid yet), 'processing' (payment not settled yet), 'settled' or 'failed'.",
    }),
    mine: t.boolean({ description: 'True when this browser or account holds the purchase.' }),
    link: t.field({
      type: 'PaywallLink',
      nullable: true,
      description: 'Null unless the purchase is held.',
    }),
  }),
});

builder.queryField('getCheckout', (t) =>
  t.field({
    type: Checkout,
    nullable: true,
    description: "What became of a checkout, by the provider's session id.",
    args: { sessionId: t.arg.id({ required: true }) },
    resolve: async (_root, { sessionId }, context) => {
      requireReader(context);
      const { db, viewer } = context;
      await context.refreshCheckout(sessionId);
      const purchase = await findPurchaseBySession(db, sessionId);
      if (!purchase) return null;
      const mine = holdsPurchase(viewer, purchase);
      const link = mine ? await findLink(db, purchase.link_id) : undefined;
      return {
        sessionId,
        state: purchase.state === 'expired' ? 'failed' : purchase.state,
        mine,
        link: await findVisibleLink(context, viewer, link),
      };
    },
  }),
);

builder.mutationField('resendReceipt', (t) =>
  t.boolean({
    description: 'Mails the receipt with the personal link again, to the address that paid.',
    args: { sessionId: t.arg.id({ required: true }) },
    resolve: async (_root, { sessionId }, context) => {
      requireReader(context);
      if (context.address) await context.allowResendFrom(context.address);
      await resendReceipt(context, sessionId);
      context.receiptWanted();
      return true;
    },
  }),
);
