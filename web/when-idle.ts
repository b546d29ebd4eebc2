/** Runs when the page has loaded and nothing else is to be done. */
export function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  const schedule = window.requestIdleCallback ?? ((callback) => setTimeout(callback, 200));
  if (document.readyState === 'complete') schedule(run);
  else addEventListener('load', () => schedule(run), { once: true });
}
