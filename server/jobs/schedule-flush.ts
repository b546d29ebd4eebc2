import type { Logger } from 'pino';
import type { ViewCounter } from '../domain/statistics/view-counter.ts';

const EVERY_MS = 3_000;

/** Writes counted views every few seconds. @returns writes the last ones and stops */
export function scheduleFlush(views: ViewCounter, log: Logger): () => Promise<void> {
  const flush = () =>
    views
      .flush()
      .catch((error: unknown) => log.error({ err: error }, 'views could not be written'));
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(flush);
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
    await flush();
  };
}
