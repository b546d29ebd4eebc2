import { LIVE_TIMINGS } from '../../../contract/live-timings.ts';

interface StartOptions {
  onReady(): void;
  onTimeout(): void;
}

export interface StartWatch {
  /** The subscription runs, or never will. */
  settle(id: string): void;
  stop(): void;
}

/** Waits until the server has acknowledged the start of each subscription. */
export function awaitStarts(
  ids: Iterable<string>,
  { onReady, onTimeout }: StartOptions,
): StartWatch {
  const awaited = new Set(ids);
  const timer = setTimeout(onTimeout, LIVE_TIMINGS.startAckMs);
  return {
    settle(id) {
      if (!awaited.delete(id) || awaited.size > 0) return;
      clearTimeout(timer);
      onReady();
    },
    stop: () => clearTimeout(timer),
  };
}
