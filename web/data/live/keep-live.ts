import { onClaim } from './claim-channel.ts';
import { connectLive, type LiveOptions } from './connect-live.ts';

/**
 * Live updates for as long as the page is open. A page that is left gives its connection up, so
 * that the browser may keep the page for the way back; a page with a new claim connects again,
 * because a connection has the cookies it began with.
 * @returns ends it
 */
export function keepLive(options: LiveOptions): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let stop = start();

  function start(): () => void {
    const disconnect = connectLive(options);
    const deafen = onClaim(restart);
    return () => {
      deafen();
      disconnect();
    };
  }

  function restart(): void {
    stop();
    stop = start();
  }

  addEventListener('pagehide', () => stop(), { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && restart(), { signal });
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && options.catchUp(),
    { signal },
  );

  return () => {
    ended.abort();
    stop();
  };
}
