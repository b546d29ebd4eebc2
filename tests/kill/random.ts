import { randomInt } from 'node:crypto';

export type Random = {
  /** What repeats the run: PADLINK_KILL_SEED. */
  seed: number;
  /** A number from 0 to below 1. */
  next(): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item | undefined;
};

/** Random numbers that a seed repeats (mulberry32). */
export function createRandom(): Random {
  const seed = Number(process.env.PADLINK_KILL_SEED ?? randomInt(2 ** 31));
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    seed,
    next,
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)],
  };
}
