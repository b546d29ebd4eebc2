import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from '../tests/factories/factories.ts';
import { findFreePort } from '../tests/harness/free-port.ts';
import { openShop } from './demo/open-shop.ts';
import { setClockBack } from './demo/past-clock.ts';
import { DAYS_OF_SALES, sellOverWeeks } from './demo/sell-over-weeks.ts';

process.env.NODE_ENV ??= 'production';
const { run } = await import('../server/run.ts');

/** Padlink on a throwaway data folder, with a few creators, links and sales in it. */
const dataDir = mkdtempSync(join(tmpdir(), 'padlink-demo-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const port = process.env.PORT ?? '3000';
const clock = setClockBack(DAYS_OF_SALES.length - 1);
const sandboxPort = await findFreePort();
const env = { PORT: port, DATA_DIR: dataDir, SANDBOX_PORT: String(sandboxPort) };
await run({ ...env, LOG_LEVEL: 'error' });
const origin = `http://localhost:${port}`;
const shop = await openShop({ origin });
await sellOverWeeks({ origin, env }, shop, clock);
for (const { firstName, email } of shop.creators) {
  console.log(`  Sign in as ${firstName}: ${email}`);
}
console.log(`  Password for each: ${PASSWORD}`);
console.log('\n  Everything is deleted when you stop the demo (Ctrl-C).\n');
