import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Long enough for a machine whose cores are all busy. Only a test that fails waits for it, so that
 * `npm run mutants`, where tests are to fail, asks for less.
 */
export const PATIENCE_MS = Number(process.env.PADLINK_TEST_PATIENCE_MS ?? 120_000);

/**
 * Tries until `attempt` returns without throwing, and returns what it returned.
 * @throws the last attempt's error after `timeoutMs`.
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  { timeoutMs = PATIENCE_MS, intervalMs = 50 } = {},
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

/**
 * Tries until `attempt` returns without throwing, for as long as a process lives: how long it
 * needs to start is a matter of what else the machine does.
 * @throws once the process has ended
 */
export async function whileAlive<Result>(
  child: ChildProcess,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      const result = await attempt();
      // Whoever answers in its place is another that took the port.
      if (!hasEnded(child)) return result;
    } catch {}
    if (hasEnded(child)) throw new Error(`It ended with ${child.exitCode ?? child.signalCode}.`);
    await sleep(50);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
