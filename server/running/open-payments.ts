import type { Logger } from 'pino';
import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import {
  callLimitOf,
  openStripe,
  type StripeAdapter,
  type StripeTarget,
} from '../adapters/stripe/open-stripe.ts';
import type { Config } from '../ground/config/read-config.ts';
import type { Processes } from '../ground/lib/processes.ts';
import { derive } from '../ground/lib/signer.ts';
import type { PayoutProvider } from '../money/payouts/payout-provider.ts';
import type { CardProvider } from '../selling/purchases/card-provider.ts';
import { requireSandboxFolder } from './data-folder.ts';

export interface Payments extends StripeAdapter {
  sandbox: (Pick<Sandbox, 'apiUrl' | 'hostedPage'> & { lead(): void }) | null;
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
  processes: Processes | null;
  closers: (() => Promise<void> | void)[];
  /** Where this server listens, once it does. */
  port(): number;
}

/** Where the provider sends events. */
export const webhookUrlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  `${publicUrl}/webhooks/stripe`;

/** What the platform's own events are signed with. */
export const webhookSecretOf = ({ webhookSecret }: Config['payments'], secret: string): string =>
  webhookSecret ?? `whsec_${derive(secret, 'sandbox webhooks')}`;

/** Opens Stripe, or starts the sandbox that stands in for it. */
export async function openPayments(
  { payments, payouts, dataDir, publicUrl }: Config,
  { secret, providerUrl, log, processes, closers, port }: Surroundings,
): Promise<Payments> {
  const connect = payouts.kind === 'connect';
  const openBoth = (target: StripeTarget) => {
    const limit = callLimitOf(target);
    const ofPages = openStripe(target, log, limit, true);
    return {
      ...openStripe(target, log, limit),
      providerOfPages: ofPages.provider,
      payoutProviderOfPages: ofPages.payoutProvider,
      // Operators wait for it on a page.
      findFaults: ofPages.findFaults,
    };
  };
  if (payments.kind === 'stripe') {
    const both = openBoth({ ...payments, connect, apiUrl: providerUrl });
    void both.tellMissingPermissions();
    return { sandbox: null, ...both };
  }
  const derived = (use: string) => `whsec_${derive(secret, use)}`;
  const platform = webhookSecretOf(payments, secret);
  const connected = payments.connectWebhookSecret ?? derived('sandbox webhooks of accounts');
  const thin = payments.thinWebhookSecret ?? derived('sandbox webhooks of thin events');
  const leadership = processes && (await processes.leases.lead('sandbox', dataDir));
  if (leadership) closers.push(() => leadership.close());
  const folder = leadership?.place ?? dataDir;
  requireSandboxFolder(folder);
  const sandbox = await startSandbox({
    dataDir: folder,
    isShared: leadership !== null,
    port: payments.port,
    publicUrl,
    webhookUrl: () => `http://127.0.0.1:${port()}/webhooks/stripe`,
    webhookSecrets: { platform, connected, thin },
    log,
  });
  closers.push(() => sandbox.stop());
  const { apiUrl, hostedPage } = sandbox;
  return {
    sandbox: {
      apiUrl,
      hostedPage,
      lead() {
        if (leadership) leadership.work(() => sandbox.lead());
        else sandbox.lead();
      },
    },
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
