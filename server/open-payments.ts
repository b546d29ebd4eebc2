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
import { type PayoutProvider, PayoutRefusedError } from './payouts/payout-provider.ts';

export interface Payments extends StripeAdapter {
  sandbox: Sandbox | null;
  /** The same, for whoever waits for its answer. */
  providerOfPages: CardProvider;
  payoutProvider: PayoutProvider;
  payoutProviderOfPages: PayoutProvider;
}

/** Until the adapter of Stripe speaks Connect. */
const UNABLE = new Proxy(
  { mode: 'test' },
  {
    get(target, name) {
      if (name === 'mode') return target.mode;
      throw new PayoutRefusedError('Payouts are not sent through the provider yet.');
    },
  },
) as PayoutProvider;

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
  { payments, dataDir, publicUrl }: Config,
  { secret, providerUrl, log, closers, port }: Surroundings,
): Promise<Payments> {
  const openBoth = (target: StripeTarget) => {
    const { provider: providerOfPages } = openStripe(target, log, WHILE_SOMEBODY_WAITS);
    const payouts = { payoutProvider: UNABLE, payoutProviderOfPages: UNABLE };
    return { ...openStripe(target, log), providerOfPages, ...payouts };
  };
  if (payments.kind === 'stripe') {
    const both = openBoth({ ...payments, apiUrl: providerUrl });
    void both.tellMissingPermissions();
    return { sandbox: null, ...both };
  }
  const webhookSecret = payments.webhookSecret ?? `whsec_${derive(secret, 'sandbox webhooks')}`;
  const sandbox = await startSandbox({
    dataDir,
    port: payments.port,
    publicUrl,
    webhookUrl: () => `http://127.0.0.1:${port()}/webhooks/stripe`,
    webhookSecrets: {
      platform: webhookSecret,
      connected: `whsec_${derive(secret, 'sandbox webhooks of connected accounts')}`,
      thin: `whsec_${derive(secret, 'sandbox webhooks of thin events')}`,
    },
    log,
  });
  closers.push(() => sandbox.stop());
  const apiUrl = providerUrl ?? sandbox.apiUrl;
  return { sandbox, ...openBoth({ kind: 'sandbox', apiUrl, webhookSecret }) };
}
