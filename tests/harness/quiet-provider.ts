import { rmSync } from 'node:fs';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { findFreePort } from './free-port.ts';
import { createDataFolder } from './run-folder.ts';

/**
 * A card provider that answers what it is asked and tells nothing by itself: no event ever comes.
 * Start the product with `overrides`.
 */
export async function startQuietProvider() {
  const dataDir = createDataFolder();
  const port = await findFreePort();
  const sandbox = await startSandbox({
    dataDir,
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    webhookUrl: () => 'http://127.0.0.1:1/',
    webhookSecrets: { platform: '', connected: '', thin: '' },
    log: { info() {}, warn() {}, error() {} },
  });
  sandbox.lead();
  return {
    /** Of its API. */
    port: Number(new URL(sandbox.apiUrl).port),
    overrides: { providerUrl: sandbox.apiUrl },
    async stop() {
      await sandbox.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
