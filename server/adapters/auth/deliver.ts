import { setTimeout } from 'node:timers/promises';
import type { AuthLog } from './log.ts';

/** Milliseconds. The last try is well within the ten minutes that a code lives. */
const WAITS = [2_000, 10_000, 60_000, 240_000];

/** Tries to hand a mail over until it is accepted. Never rejects: what fails is logged. */
export async function deliver(
  send: () => Promise<void>,
  log: AuthLog,
  waits: readonly number[] = WAITS,
): Promise<void> {
  for (const wait of [...waits, null]) {
    try {
      return await send();
    } catch (error) {
      if (wait === null) return log.error({ err: error }, 'a mail was given up');
      log.warn({ err: error }, 'a mail was not accepted, it will be tried again');
      await setTimeout(wait, undefined, { ref: false });
    }
  }
}
