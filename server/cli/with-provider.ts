import pino from 'pino';
import { openSandboxApi } from '../../sandbox/start-sandbox.ts';
import { openStripe, type StripeAdapter } from '../adapters/stripe/open-stripe.ts';
import type { Config } from '../ground/config/read-config.ts';
import { webhookUrlOf } from '../running/open-payments.ts';
import type { Output } from './command-line.ts';

/** The sandbox's state is in the data folder: a running server need not be asked for it. */
export async function withProvider<Result>(
  { payments, payouts, dataDir, publicUrl }: Config,
  out: Output,
  work: (opened: StripeAdapter) => Promise<Result>,
): Promise<Result> {
  const log = pino({ level: 'error' }, { write: (line) => out.error(line.trimEnd()) });
  const connect = payouts.kind === 'connect';
  if (payments.kind === 'stripe') return work(openStripe({ ...payments, connect }, log));
  const { apiUrl, stop } = await openSandboxApi({ dataDir, port: 0, publicUrl, log });
  try {
    return await work(openStripe({ kind: 'sandbox', apiUrl, webhookSecret: '', connect }, log));
  } finally {
    await stop();
  }
}

/** What the key must not do and would have to, and what keeps events from arriving. */
export const findProviderFaults = (config: Config, out: Output) =>
  withProvider(config, out, ({ findFaults }) => findFaults(webhookUrlOf(config)));
