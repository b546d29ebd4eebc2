import { onTestFinished, vi } from 'vitest';

/**
 * Lets the clock of this process stand still until the test ends, or until the returned function lets
 * it go on. A machine that needs long would begin another minute of what is counted by the minute, and
 * the sandbox would decide what it decides seconds later before anybody has looked.
 */
export function stopClock(): () => void {
  vi.useFakeTimers({ toFake: ['Date'] });
  const goOn = () => void vi.useRealTimers();
  onTestFinished(goOn);
  return goOn;
}
