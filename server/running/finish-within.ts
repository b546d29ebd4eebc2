import { setTimeout as sleep } from 'node:timers/promises';

interface Log {
  warn(message: string): void;
  error(fields: { err: unknown }, message: string): void;
}

/** Waits at most so many milliseconds. What cannot be closed must not keep the rest open. */
export async function finishWithin(
  patienceMs: number,
  close: () => unknown,
  log: Log,
): Promise<void> {
  const finished = new AbortController();
  const closing = (async () => close())().catch((error: unknown) =>
    log.error({ err: error }, 'a part could not be closed'),
  );
  const patience = sleep(Math.max(patienceMs, 0), undefined, finished).then(
    () => log.warn('a part did not close in time and was left open'),
    () => {},
  );
  await Promise.race([closing, patience]);
  finished.abort();
}
