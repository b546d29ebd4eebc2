// The card provider as a process of its own, which is as far away as Stripe is.
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { WEBHOOK_SECRET } from '../../tests/harness/webhook.ts';

/** Milliseconds. */
const FAR_AWAY = 80;

const { PORT, DATA_DIR = '', WEBHOOK_URL = '' } = process.env;
const sandbox = await startSandbox({
  dataDir: DATA_DIR,
  port: Number(PORT),
  delayMs: FAR_AWAY,
  publicUrl: `http://127.0.0.1:${PORT}`,
  webhookUrl: () => WEBHOOK_URL,
  webhookSecrets: { platform: WEBHOOK_SECRET, connected: '-', thin: '-' },
  log: { info() {}, warn: console.error, error: console.error },
});
sandbox.lead();
process.once('SIGTERM', async () => {
  await sandbox.stop();
  process.exit();
});
