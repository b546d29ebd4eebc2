import type { Logger } from 'pino';
import { HOUR_MS } from '../ground/lib/time.ts';

/** A store refuses what was signed a quarter of an hour off; codes that apps show bear less. */
const TOLERATED_MS = 60_000;
const PATIENCE_MS = 5_000;

interface Context {
  /** What is asked for the time: a server that this product depends on anyway. */
  url: string;
  now: () => number;
  log: Pick<Logger, 'warn'>;
  everyMs?: number;
}

/**
 * Compares this machine's clock with that of another server, at once and every hour, and says it
 * when they differ by more than a minute. What cannot be asked says nothing. @returns stops it
 */
export function watchClock({ url, now, log, everyMs = HOUR_MS }: Context): () => void {
  async function compare(): Promise<void> {
    const answer = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    const seconds = Math.round((now() - theirs) / 1000);
    if (!(Math.abs(seconds) * 1000 > TOLERATED_MS)) return;
    const [much, way] = [Math.abs(seconds), seconds > 0 ? 'ahead of' : 'behind'];
    log.warn(
      `the clock of this machine is ${much} s ${way} that of ${new URL(url).host}: uploads, downloads, codes and payments depend on it. Let the system keep the time: timedatectl set-ntp true`,
    );
  }
  const look = () => void compare().catch(() => {});
  look();
  const timer = setInterval(look, everyMs);
  return () => clearInterval(timer);
}
