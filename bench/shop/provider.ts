// The card provider as a process of its own.
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { WEBHOOK_SECRET } from '../../tests/harness/webhook.ts';

const { PORT, DATA_DIR = '', WEBHOOK_URL = '', DELAY_MS } = process.env;
const sandbox = await startSandbox({
  dataDir: DATA_DIR,
  port: Number(PORT),
  delayMs: Number(DELAY_MS),
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
