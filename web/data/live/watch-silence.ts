import { LIVE_TIMINGS } from '../../../contract/live-timings.ts';

interface SilenceOptions {
  /** Silence after which the connection is given up, milliseconds. */
  timeoutMs: number;
  /** Once a silence: a keep-alive is overdue. */
  onMissed(): void;
  onTimeout(): void;
}

export interface SilenceWatch {
  /** Something came: the silence is over. */
  heard(): void;
  stop(): void;
}

/** Measures how long nothing came, at the specified intervals. */
export function watchSilence({ timeoutMs, onMissed, onTimeout }: SilenceOptions): SilenceWatch {
  let heardAt = Date.now();
  let missed = false;
  const timer = setInterval(() => {
    const silence = Date.now() - heardAt;
    if (silence >= timeoutMs) {
      clearInterval(timer);
      onTimeout();
    } else if (silence >= LIVE_TIMINGS.keepAliveMissedMs && !missed) {
      missed = true;
      onMissed();
    }
  }, LIVE_TIMINGS.keepAliveCheckMs);
  return {
    heard() {
      heardAt = Date.now();
      missed = false;
    },
    stop: () => clearInterval(timer),
  };
}
