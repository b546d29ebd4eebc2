import { createClient } from 'graphql-ws/client';
import { LIVE_TIMINGS } from '../../contract/live-timings.ts';
import type { LiveSubscription } from './live-subscription.ts';

export interface LiveOptions {
  /** ws: or wss: */
  url: string;
  /** The publishable key: what a visitor without a session may read by. */
  apiKey: string;
  subscriptions: LiveSubscription[];
  /** Answers may have been missed: everything runs (again), a keep-alive is overdue, or one ended. */
  catchUp(): unknown;
}

/**
 * Subscribes, and comes again for as long as it takes when the connection is lost.
 * @returns ends it
 */
export function connectLive({ url, apiKey, subscriptions, catchUp }: LiveOptions): () => void {
  const wanted = new Map(subscriptions.map((subscription, index) => [String(index), subscription]));
  let ids = 0;
  let failures = 0;
  let starts: StartWatch | undefined;
  let silence: SilenceWatch | undefined;

  const stopWatching = () => {
    starts?.stop();
    silence?.stop();
  };
  const giveUp = () => client.terminate();

  const client = createClient({
    url,
    connectionParams: { 'x-api-key': apiKey },
    connectionAckWaitTimeout: LIVE_TIMINGS.connectionAckMs,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: () =>
      wait(failures++ === 0 ? LIVE_TIMINGS.reconnectFirstMs : LIVE_TIMINGS.reconnectMs),
    generateID: () => String(ids++),
    on: {
      connected(_socket, payload) {
        silence = watchSilence({
          timeoutMs: timeoutOf(payload),
          onMissed: catchUp,
          onTimeout: giveUp,
        });
        starts = awaitStarts(wanted.keys(), {
          onReady() {
            failures = 0;
            catchUp();
          },
          onTimeout: giveUp,
        });
      },
      message: () => silence?.heard(),
      ping(_received, payload) {
        if (payload?.type === 'start_ack') starts?.settle(String(payload.id));
      },
      closed: stopWatching,
      error: stopWatching,
    },
  });

  const ends = [...wanted].map(([id, { query, variables, next }]) => {
    const end = () => {
      wanted.delete(id);
      starts?.settle(id);
    };
    return client.subscribe(
      { query, variables },
      {
        next({ data, errors }) {
          if (errors) console.warn('A live update was refused', errors);
          else next(data);
        },
        error(error) {
          console.warn('Live updates ended', error);
          end();
          catchUp();
        },
        complete: end,
      },
    );
  });

  return () => {
    stopWatching();
    for (const end of ends) end();
  };
}

/** The server's own timeout wins over the default. */
function timeoutOf(payload: Record<string, unknown> | undefined): number {
  const timeout = payload?.connectionTimeoutMs;
  return typeof timeout === 'number' ? timeout : LIVE_TIMINGS.connectionTimeoutMs;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

interface StartOptions {
  onReady(): void;
  onTimeout(): void;
}

interface StartWatch {
  /** The subscription runs, or never will. */
  settle(id: string): void;
  stop(): void;
}

/** Waits until the server has acknowledged the start of each subscription. */
function awaitStarts(ids: Iterable<string>, { onReady, onTimeout }: StartOptions): StartWatch {
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

interface SilenceOptions {
  /** Silence after which the connection is given up, milliseconds. */
  timeoutMs: number;
  /** Once a silence: a keep-alive is overdue. */
  onMissed(): void;
  onTimeout(): void;
}

interface SilenceWatch {
  /** Something came: the silence is over. */
  heard(): void;
  stop(): void;
}

/** Measures how long nothing came, at the specified intervals. */
function watchSilence({ timeoutMs, onMissed, onTimeout }: SilenceOptions): SilenceWatch {
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
