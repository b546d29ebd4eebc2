import { CARDS } from '../factories/payment.ts';
import { HOUR_MS, type Market, type Shop } from './market.ts';

/**
 * Something that can happen. It answers whether it did: there may be nothing that it could be about.
 * @param seed chooses whom and what it is about, and how much
 */
export type Action = (market: Market, seed: number) => boolean | Promise<boolean>;

export const digits = (card: string) => card.replaceAll(' ', '');

export function pick<Item>(items: Item[], seed: number): Item | undefined {
  return items[seed % Math.max(1, items.length)];
}

/** @param from any shop unless given */
export async function buy(
  market: Market,
  seed: number,
  card = digits(CARDS.pays),
  from?: Shop,
): Promise<boolean> {
  const offer = await market.checkOut(seed, from);
  return offer ? market.world.provider.pay(offer.sessionId, card) : false;
}

/** Lets something happen now that the provider put off. */
export function settle(market: Market, seed: number, name: RegExp): boolean {
  const { provider } = market.world;
  const task = pick(
    provider.tasks().filter(({ task }) => name.test(task)),
    seed,
  );
  if (task) provider.perform(task);
  return task !== undefined;
}

const DAY_MS = 24 * HOUR_MS;

/** Lets days pass, and everything happen and be heard that is due by then. */
export async function passDays(market: Market, days: number): Promise<void> {
  market.world.advance(days * DAY_MS + HOUR_MS);
  market.world.provider.performDue();
  await market.arrive('in order', 0);
  // The product asks every hour, and the provider lists no event that is older than 30 days.
  if (market.isBehind) await market.catchUp();
}
