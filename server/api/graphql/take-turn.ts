import { setImmediate } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Waits until it is the caller's turn: one a round of the event loop, so that requests are answered
 * between the subscribers of a change, however many they are.
 */
export function takeTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
