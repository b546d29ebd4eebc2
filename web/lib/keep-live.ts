import { connectLive, type LiveOptions } from './connect-live.ts';
import { onClaim } from './live-subscription.ts';

/**
 * Live updates for as long as the page is open. A page that is left closes its connection, so that
 * the browser can keep the page for going back; a page with a new claim reconnects, because a
 * connection has the cookies it started with.
 * @returns a function that ends it
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

/** Reads beside live answers, so that an older state never covers a newer one. */
export function createCatchUp<Data>(read: () => Promise<Data>, show: (data: Data) => void) {
  let answers = 0;
  let newest = 0;
  return {
    /** A live answer came: what is being read may be older. */
    heard() {
      answers += 1;
    },
    /** Reloads everything and shows it. */
    async run(): Promise<void> {
      newest += 1;
      const run = newest;
      for (;;) {
        const before = answers;
        const data = await read();
        // A later run knows better.
        if (run !== newest) return;
        if (before === answers) return show(data);
      }
    },
  };
}
