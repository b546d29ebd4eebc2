import { createClient } from 'graphql-ws/client';
import { LIVE_TIMINGS } from '../../../contract/live-timings.ts';
import { awaitStarts, type StartWatch } from './await-starts.ts';
import type { LiveSubscription } from './live-subscription.ts';
import { type SilenceWatch, watchSilence } from './watch-silence.ts';

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
