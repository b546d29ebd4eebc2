import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What comes of work that somebody waits for, or of `late` when it takes longer than so many
 * milliseconds. The work itself goes on; of its failure after that nobody is told here.
 */
export async function waitAtMost<Result>(
  milliseconds: number,
  work: Promise<Result>,
  late: () => Result,
): Promise<Result> {
  const waiting = new AbortController();
  const over = sleep(milliseconds, undefined, { signal: waiting.signal }).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    waiting.abort();
  }
}
