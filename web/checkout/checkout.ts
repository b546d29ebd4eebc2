import { type FragmentOf, graphql } from '../lib/graphql.ts';

/** What the success page knows of a checkout. */
export const checkoutFields = graphql(`
  fragment CheckoutFields on Checkout {
    sessionId
    state
    mine
    price
    email
    link { id type title files { name size } }
  }
`);

export type Checkout = FragmentOf<typeof checkoutFields>;
