import { readFileSync } from 'node:fs';
import { cpuSeconds } from '../cpu-seconds.ts';
import type { Times } from './buy-at-medusa.ts';
import { type Peer, startMedusa } from './start-medusa.ts';

const { dependencies } = JSON.parse(
  readFileSync(new URL('./medusa/package.json', import.meta.url), 'utf8'),
);
const VERSION = dependencies['@medusajs/medusa'];
const BUYERS = [4, 8, 16];
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

/**
 * How many files a second Medusa sells on this machine, in words: at the number of buyers that it serves
 * best, each of whom begins anew when done.
 */
export async function describeMedusa(): Promise<string> {
  await using peer = await startMedusa();
  await sell(peer, BUYERS[0] ?? 1, WARM_UP_MS);
  let best = { buyers: 0, rate: 0, cpuMs: 0 };
  for (const buyers of BUYERS) {
    const cpuBefore = cpuOf(peer);
    const begun = performance.now();
    const sales = await sell(peer, buyers, ROUND_MS);
    const rate = (sales.length * 1000) / (performance.now() - begun);
    const cpuMs = ((cpuOf(peer) - cpuBefore) * 1000) / sales.length;
    console.log(`Medusa, ${buyers} buyers: ${rate.toFixed(1)} sales/s`);
    if (rate > best.rate) best = { buyers, rate, cpuMs };
  }
  return `Medusa ${VERSION}, the nearest peer that runs here, sells ${best.rate.toFixed(1)} files a second to ${best.buyers} buyers at once, its best, and takes ${best.cpuMs.toFixed(0)} ms of processor time for a sale. Its journey is shorter: a product as JSON in place of a page, no webhooks, no receipt, a file that nobody guards, and a database that waits for no disk, which it asks over TCP.`;
}
