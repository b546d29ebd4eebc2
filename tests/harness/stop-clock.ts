import { onTestFinished, vi } from 'vitest';

/**
 * Lets the clock of this process stand still until the test ends: what is counted by the minute would
 * be counted anew on a machine that needs longer than that.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}
