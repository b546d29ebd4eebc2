import Stripe from 'stripe';
import { WAYS_TO_PAY, type WayToPay } from '../../../contract/ways-to-pay.ts';
import { PAGE } from './read-payment.ts';

/**
 * What the account's own default configuration turns on, which every checkout here is offered by.
 * @returns none for a key that may not read it
 */
export async function readWaysToPay(stripe: Stripe): Promise<WayToPay[]> {
  try {
    const { data } = await stripe.paymentMethodConfigurations.list({ limit: PAGE });
    const used = data.find(({ is_default, application }) => is_default && application === null);
    return WAYS_TO_PAY.filter((way) => {
      const offered = used?.[way];
      return offered?.available && offered.display_preference.value === 'on';
    });
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return [];
    throw error;
  }
}
