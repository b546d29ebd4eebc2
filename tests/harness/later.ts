import { vi } from 'vitest';

/** Does something as if so many milliseconds had passed: for clocks that cannot be handed in. */
export async function later<Result>(
  milliseconds: number,
  attempt: () => Promise<Result>,
): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
  try {
    return await attempt();
  } finally {
    vi.useRealTimers();
  }
}
