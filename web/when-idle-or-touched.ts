import { whenIdle } from './when-idle.ts';

const TOUCHES = ['pointerdown', 'keydown', 'focusin'] as const;

/** Runs once: when the page has loaded and nothing else is to be done, or at the first touch. */
export function whenIdleOrTouched(run: () => void) {
  const waiting = new AbortController();
  const runOnce = () => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    run();
  };
  for (const touch of TOUCHES) addEventListener(touch, runOnce, { signal: waiting.signal });
  whenIdle(runOnce);
}
