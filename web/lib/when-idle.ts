/** A busy or hidden page may never be idle. Milliseconds. */
const PATIENCE_MS = 1_000;

/** Runs when the page has loaded and the browser is idle, or soon after. */
export function whenIdle(run: () => void): void {
  const schedule = () => {
    // Safari has no requestIdleCallback.
    if (!window.requestIdleCallback) setTimeout(run, 200);
    else requestIdleCallback(run, { timeout: PATIENCE_MS });
  };
  if (document.readyState === 'complete') schedule();
  else addEventListener('load', schedule, { once: true });
}
