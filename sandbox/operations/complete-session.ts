import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';

/** Ends a checkout well: the buyer has done their part, even if the money is still on its way. */
export function completeSession(
  scope: Scope,
  session: Stripe.Checkout.Session,
  email: string,
  paymentStatus: 'paid' | 'unpaid',
): Stripe.Checkout.Session {
  const completed: Stripe.Checkout.Session = {
    ...session,
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    payment_status: paymentStatus,
    status: 'complete',
    url: null,
  };
  scope.objects.update('checkout.session', completed);
  emitEvent(scope, 'checkout.session.completed', completed);
  return completed;
}
