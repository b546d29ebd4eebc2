import { cpuSeconds } from '../cpu-seconds.ts';
import type { Times } from './buy-at-medusa.ts';
import { type Peer, startMedusa } from './start-medusa.ts';

const BUYERS = [4, 8, 16, 32];
const WARM_UP_MS = 10_000;
const ROUND_MS = 20_000;

let sold = 0;

/** So many buyers, each of whom begins anew when done. */
async function sell(peer: Peer, buyers: number, ms: number): Promise<Times[]> {
  const sales: Times[] = [];
  const end = performance.now() + ms;
  async function keepBuying(): Promise<void> {
    while (performance.now() < end) {
      sold += 1;
      sales.push(await peer.buy(sold));
    }
  }
  await Promise.all(Array.from({ length: buyers }, keepBuying));
  return sales;
}

function cpuOf(peer: Peer): number {
  return peer.pids().reduce((sum, pid) => sum + (cpuSeconds(pid) ?? Number.NaN), 0);
}

/** p50 and p99. */
function describe(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(0);
  return `${at(0.5)}/${at(0.99)} ms`;
}

/** `node bench/peers/measure-medusa.ts`: how many sales a second Medusa makes on this machine. */
await using peer = await startMedusa();
await sell(peer, BUYERS[0] ?? 1, WARM_UP_MS);
for (const buyers of BUYERS) {
  const cpuBefore = cpuOf(peer);
  const begun = performance.now();
  const sales = await sell(peer, buyers, ROUND_MS);
  const rate = (sales.length * 1000) / (performance.now() - begun);
  const cpuMs = ((cpuOf(peer) - cpuBefore) * 1000) / sales.length;
  const page = describe(sales.map(({ pageMs }) => pageMs));
  const checkout = describe(sales.map(({ checkoutMs }) => checkoutMs));
  console.log(
    `${buyers} buyers: ${rate.toFixed(1)} sales/s, ${cpuMs.toFixed(0)} ms of processor a sale, page ${page}, checkout ${checkout} (p50/p99)`,
  );
}
