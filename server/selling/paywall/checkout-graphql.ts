import { builder, type GraphqlContext, requireReader } from '../../edge/graphql/builder.ts';
import { addressKey } from '../../edge/http/rate-limits.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { findLinkWithAccess } from '../access/access.ts';
import type { createRefreshCheckout } from '../checkout/refresh-checkout.ts';
import { findReturnable } from '../purchases/bought-twice.ts';
import { paymentKind } from '../purchases/payment-kind.ts';
import { findGrantOfPurchase, holdsGrant, holdsPurchase } from '../purchases/queries.ts';
import { resendReceipt } from '../purchases/resend-receipt.ts';
import type { AccessGrant, Purchase } from '../purchases/tables.ts';
import { findVisibleLink, PaywallLink } from './present-link.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext extends Pick<ReturnType<typeof createRefreshCheckout>, 'readCheckout'> {}
}

const CheckoutLine = builder.simpleObject('CheckoutLine', {
  description: 'One of several links that are paid for together.',
  fields: (t) => ({
    price: t.int({ description: 'Cents.' }),
    link: t.field({ type: PaywallLink, nullable: true }),
  }),
});

export const CheckoutGift = builder.simpleObject('CheckoutGift', {
  description: 'What the buyer of a gift knows of it.',
  fields: (t) => ({
    email: t.string({ description: 'Whom it is sent to.' }),
    url: t.field({ type: 'URL', description: 'Where it is sent again, or its address corrected.' }),
  }),
});

const BoughtBefore = builder.simpleObject('BoughtBefore', {
  description: 'That the address that paid had bought the same before.',
  fields: (t) => ({
    paidAt: t.string({ description: 'When it was bought first.' }),
    url: t.field({ type: 'URL', description: 'Where the later one is given back, within a day.' }),
  }),
});

export const Checkout = builder.simpleObject('Checkout', {
  fields: (t) => ({
    sessionId: t.id(),
    state: t.string({
      description:
        "'open' (not paid yet), 'processing' (payment not settled yet), 'settled', 'failed' or " +
        "'expired' (ended unpaid). For whoever holds the purchase, also 'suspended' (settled, but " +
        "disputed since) and 'ended' (settled, but the payment was returned).",
    }),
    mine: t.boolean({ description: 'True when this browser or account holds the purchase.' }),
    price: t.int({
      nullable: true,
      description: 'Cents. Null unless the viewer holds the purchase, and to whom it was given.',
    }),
    email: t.string({
      nullable: true,
      description:
        'The address the receipt is sent to. Null unless this browser or account made the purchase.',
    }),
    gift: t.field({
      type: CheckoutGift,
      nullable: true,
      description: 'Null unless this browser or account bought it for someone else.',
    }),
    boughtBefore: t.field({
      type: BoughtBefore,
      nullable: true,
      description:
        'For a day, for whoever bought a link again: null unless the viewer made this purchase, and holds the first one or has the address of both.',
    }),
    link: t.field({
      type: PaywallLink,
      nullable: true,
      description: 'Null unless the viewer holds the purchase.',
    }),
    lines: t.field({
      type: [CheckoutLine],
      description:
        'What a cart was paid for, unless the payment of a line was returned; empty where a link was bought alone, and unless the viewer made the purchase. The price is that of all.',
    }),
  }),
});

builder.queryField('getCheckout', (t) =>
  t.field({
    type: Checkout,
    nullable: true,
    description:
      "The outcome of a checkout, by the provider's session id. While it is open, whoever made it is answered when the provider says more, or after 2 seconds.",
    args: { sessionId: t.arg.id({ required: true }) },
    resolve: async (_root, { sessionId }, context) => {
      requireReader(context);
      const { db, viewer } = context;
      const purchases = await context.readCheckout(viewer, sessionId, !context.isPage);
      const [purchase] = purchases;
      if (!purchase) return null;
      const made = holdsPurchase(viewer, purchase);
      const told = made ? purchases : [purchase];
      const cart = paymentKind(told).listLines(told);
      const [grant, bought, boughtBefore] = await Promise.all([
        findGrantOfPurchase(db, purchase.id),
        findLinkWithAccess({ db, viewer }, purchase.link_id),
        made && !cart.includes(purchase) ? showBefore(context, purchase) : null,
      ]);
      const mine = made || (grant !== undefined && (await holdsGrant(db, viewer, grant.id)));
      const [link, held] = await Promise.all([
        findVisibleLink(context, viewer, mine ? bought?.link : undefined, bought?.access),
        listHeld(context, cart),
      ]);
      const standing = held[0]?.grant ?? grant;
      return {
        sessionId,
        state: mine ? stateOf(purchase, standing) : purchase.state,
        mine,
        price:
          made || (mine && purchase.gift_email === null)
            ? told.reduce((sum, line) => sum + line.price_cents, 0)
            : null,
        email: made ? purchase.buyer_email : null,
        gift: made ? showGift(context, purchase) : null,
        boughtBefore,
        link,
        lines: held,
      };
    },
  }),
);

function showGift({ giftUrl }: GraphqlContext, { id, gift_email: email }: Purchase) {
  return email === null ? null : { email, url: giftUrl(id) };
}

/** To whom it is no news: the address alone was typed, by whomever. */
async function showBefore({ db, viewer, now, returnUrl }: GraphqlContext, purchase: Purchase) {
  const earlier = await findReturnable(db, purchase.id, now());
  if (!earlier) return null;
  const hasAddress =
    viewer.user &&
    canonicalAddress(viewer.user.email) === canonicalAddress(purchase.buyer_email ?? '');
  if (!hasAddress && !(await holdsGrant(db, viewer, earlier.grantId))) return null;
  return { paidAt: isoTime(earlier.paidAt), url: returnUrl(purchase.id) };
}

/** The lines of a cart whose grants have not ended. */
async function listHeld(context: GraphqlContext, cart: Purchase[]) {
  const { db, viewer } = context;
  const lines = [];
  for (const { id, link_id, price_cents: price } of cart) {
    const grant = await findGrantOfPurchase(db, id);
    if (grant?.state === 'ended') continue;
    const bought = await findLinkWithAccess({ db, viewer }, link_id);
    const link = await findVisibleLink(context, viewer, bought?.link, bought?.access);
    lines.push({ price, link, grant });
  }
  return lines;
}

function stateOf({ state }: Purchase, grant: AccessGrant | undefined): string {
  return grant && grant.state !== 'active' ? grant.state : state;
}

builder.mutationField('resendReceipt', (t) =>
  t.boolean({
    description:
      'Sends the receipt with the personal link again, to the email address that paid, at most once an hour. True also where there is none.',
    args: { sessionId: t.arg.id({ required: true }) },
    resolve: async (_root, { sessionId }, context) => {
      requireReader(context);
      if (context.address) await context.limits.take('receiptsAsked', addressKey(context.address));
      await resendReceipt(context, sessionId);
      return true;
    },
  }),
);
