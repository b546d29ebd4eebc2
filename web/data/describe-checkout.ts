import type { RuntimeConfig } from '../../contract/runtime-config.ts';

/** Who takes the payment; nobody in the sandbox, which is not Stripe. */
export function describeCheckout(payments: RuntimeConfig['payments']): string {
  return payments === 'sandbox'
    ? 'Test checkout: no real money moves'
    : 'Secure checkout by Stripe';
}
