import { openFolder } from '/work/w32/bench/open-folder.ts';
import { startShop } from '/work/w32/bench/rush/start-shop.ts';
import { sell } from '/work/w32/bench/rush/arrivals.ts';
import { chmodSync } from 'node:fs';
using folder = openFolder();
chmodSync(folder.path, 0o711);
const kind = process.argv[2] as any;
await using shop = await startShop(kind, folder.path);
for (const rate of process.argv.slice(3).map(Number)) {
  const before = shop.readCpu();
  const step = await sell(shop, rate, 10);
  const after = shop.readCpu();
  const cpu = Object.fromEntries(Object.entries(after).map(([k, v]) => [k, ((v - (before as any)[k]) / (step.sold * 10) * 1000).toFixed(1)]));
  console.log({ ...step, failures: step.failures.slice(0, 3), failed: step.failures.length }, 'ms CPU per sale', cpu);
}
console.log('ledger', await shop.checkLedger());
