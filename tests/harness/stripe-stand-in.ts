import { startQuietProvider } from './quiet-provider.ts';
import { WEBHOOK_SECRET } from './webhook.ts';

/**
 * Stripe, as far as a checkout needs it: the sandbox, which sends no event. Start the product with
 * `env` and `overrides`: it takes it for the real one.
 */
export async function startStripeStandIn() {
  const quiet = await startQuietProvider();
  return {
    env: { STRIPE_SECRET_KEY: 'sk_test_padlink', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
    ...quiet,
  };
}
