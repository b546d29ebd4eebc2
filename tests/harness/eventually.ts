import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Tries until `attempt` returns without throwing, and returns what it returned.
 * @throws the last attempt's error after `timeoutMs`.
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  { timeoutMs = 15_000, intervalMs = 50 } = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(intervalMs);
    }
  }
}
