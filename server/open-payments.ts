import type { Logger } from 'pino';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';
import {
  openStripe,
  type StripeAdapter,
  type StripeTarget,
  WHILE_SOMEBODY_WAITS,
} from './adapters/stripe/open-stripe.ts';
import type { Config } from './config/read-config.ts';
import { derive } from './lib/signer.ts';
import type { CardProvider } from './payments/card-provider.ts';
import type { PayoutProvider } from './payouts/payout-provider.ts';

export interface Payments extends StripeAdapter {
  sandbox: Sandbox | null;
  /** The same, for whoever waits for its answer. */
  providerOfPages: CardProvider;
  payoutProviderOfPages: PayoutProvider;
}

interface Surroundings {
  /** APP_SECRET, or what was generated in its place. */
  secret: string;
  /** Where the provider is asked instead of at its own address. */
  providerUrl: string | undefined;
  log: Logger;
  closers: (() => Promise<void> | void)[];
  /** Where this server listens, once it does. */
  port(): number;
}

/** Opens Stripe, or starts the sandbox that stands in for it. */
export async function openPayments(
  { payments, payouts, dataDir, publicUrl }: Config,
  { secret, providerUrl, log, closers, port }: Surroundings,
): Promise<Payments> {
  const connect = payouts.kind === 'connect';
  const openBoth = (target: StripeTarget) => {
    const ofPages = openStripe(target, log, WHILE_SOMEBODY_WAITS);
    return {
      ...openStripe(target, log),
      providerOfPages: ofPages.provider,
      payoutProviderOfPages: ofPages.payoutProvider,
    };
  };
  if (payments.kind === 'stripe') {
    const both = openBoth({ ...payments, connect, apiUrl: providerUrl });
    void both.tellMissingPermissions();
    return { sandbox: null, ...both };
  }
  const derived = (use: string) => `whsec_${derive(secret, use)}`;
  const platform = payments.webhookSecret ?? derived('sandbox webhooks');
  const connected = payments.connectWebhookSecret ?? derived('sandbox webhooks of accounts');
  const thin = payments.thinWebhookSecret ?? derived('sandbox webhooks of thin events');
  const sandbox = await startSandbox({
    dataDir,
    port: payments.port,
    publicUrl,
    webhookUrl: () => `http://127.0.0.1:${port()}/webhooks/stripe`,
    webhookSecrets: { platform, connected, thin },
    log,
  });
  closers.push(() => sandbox.stop());
  return {
    sandbox,
    ...openBoth({
      kind: 'sandbox',
      apiUrl: providerUrl ?? sandbox.apiUrl,
      webhookSecret: platform,
      connectWebhookSecret: connected,
      thinWebhookSecret: thin,
      connect,
    }),
  };
}
