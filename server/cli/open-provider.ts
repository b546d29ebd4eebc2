import pino from 'pino';
import { openSandboxApi } from '../../sandbox/start-sandbox.ts';
import { openStripe } from '../adapters/stripe/open-stripe.ts';
import type { Config } from '../ground/config/read-config.ts';
import type { Output } from './command-line.ts';

/** The sandbox's state is in the data folder: a running server need not be asked for it. */
export async function openProvider(config: Config, out: Output) {
  const log = pino({ level: 'error' }, { write: (line) => out.error(line.trimEnd()) });
  const { payments, payouts, dataDir, publicUrl } = config;
  const connect = payouts.kind === 'connect';
  if (payments.kind === 'stripe') {
    return { ...openStripe({ ...payments, connect }, log), close: async () => {} };
  }
  const sandbox = await openSandboxApi({ dataDir, port: 0, publicUrl, log });
  const { apiUrl } = sandbox;
  const target = { kind: 'sandbox', apiUrl, webhookSecret: '', connect } as const;
  return { ...openStripe(target, log), close: sandbox.stop };
}
