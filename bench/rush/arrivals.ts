import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../soak/honest.ts';
import type { Shop } from '../shop/start-shop.ts';
import { buy, type Waits } from './buy.ts';

/** What a while of sales was like. */
export interface Step {
  /** Buyers who came in a second, on average. */
  rate: number;
  seconds: number;
  /** Sales a second: from the first buyer's coming until the last one's leaving. */
  sold: number;
  /** Milliseconds within which 99 of 100 waits ended. */
  pages: number;
  checkout: number;
  /** Half of the waits from the payment to the content. */
  unlocked: number;
  /** The sales that failed, in words. */
  failures: string[];
}

/** Milliseconds. */
export const PAGES_WITHIN = 100;
export const CHECKOUT_WITHIN = 500;

export const isKept = ({ pages, checkout, failures }: Step): boolean =>
  pages <= PAGES_WITHIN && checkout <= CHECKOUT_WITHIN && failures.length === 0;

/**
 * Lets buyers come for a while, independently of each other and of how those before them fare, and
 * waits for the last of them.
 */
export async function sell(shop: Shop, rate: number, seconds: number): Promise<Step> {
  const waits: Waits[] = [];
  const failures: string[] = [];
  const buyers: Promise<void>[] = [];
  const begun = performance.now();
  for (let at = 0; at < seconds * 1000; at += (-Math.log(1 - Math.random()) * 1000) / rate) {
    const early = begun + at - performance.now();
    if (early > 1) await sleep(early);
    const buyer = buy(shop, anyAddress()).then(
      (waited) => void waits.push(waited),
      (error: unknown) => void failures.push(String(error)),
    );
    buyers.push(buyer);
  }
  await Promise.all(buyers);
  const sold = (waits.length * 1000) / (performance.now() - begun);
  const p99 = (values: number[]) => Math.round(percentile(values, 99));
  return {
    rate,
    seconds,
    sold,
    failures,
    pages: p99(waits.flatMap(({ pages }) => pages)),
    checkout: p99(waits.map(({ checkout }) => checkout)),
    unlocked: Math.round(
      percentile(
        waits.map(({ unlocked }) => unlocked),
        50,
      ),
    ),
  };
}

const anyByte = () => Math.floor(Math.random() * 256);

/** Anywhere in the world. */
const anyAddress = () => `${1 + Math.floor(Math.random() * 223)}.${anyByte()}.${anyByte()}.7`;
