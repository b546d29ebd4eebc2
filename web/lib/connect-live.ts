import { LIVE_TIMINGS } from '../../contract/live-timings.ts';
import type { LiveSubscription } from './live-subscription.ts';

export interface LiveOptions {
  /** ws: or wss: */
  url: string;
  /** The publishable key: what a visitor without a session may read by. */
  apiKey: string;
  subscriptions: LiveSubscription[];
  /**
   * Messages may have been missed: everything is (again) subscribed, a keep-alive is overdue, or a
   * subscription ended.
   */
  catchUp(): unknown;
}

/** What is said over the socket. */
interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}

/** Close codes that the protocol and its libraries know. */
const ENDED = 1000;
const SILENT = 4499;
const NOT_ACKNOWLEDGED = 4504;
/** Our own fault: trying again would end the same way. */
const LASTING = [1002, 1003, 1007, 1008, 1009, 4400, 4401, 4406, 4409, 4429];

/**
 * Subscribes by the protocol graphql-transport-ws, and comes again for as long as it takes when the
 * connection is lost. The library that speaks it would be half of what a page loads besides React.
 * @returns ends it
 */
export function connectLive({ url, apiKey, subscriptions, catchUp }: LiveOptions): () => void {
  const wanted = new Map(subscriptions.map((subscription, index) => [String(index), subscription]));
  let failures = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  let end = open();

  function open(): () => void {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    const say = (message: Message) => socket.send(JSON.stringify(message));
    let starts: ReturnType<typeof awaitStarts> | undefined;
    let silence: ReturnType<typeof watchSilence> | undefined;
    let acknowledging: ReturnType<typeof setTimeout> | undefined;

    const leave = (code: number) => {
      socket.onopen = socket.onmessage = socket.onclose = null;
      clearTimeout(acknowledging);
      starts?.stop();
      silence?.stop();
      socket.close(code);
    };
    const giveUp = (code: number) => {
      leave(code);
      const wait = failures++ === 0 ? LIVE_TIMINGS.reconnectFirstMs : LIVE_TIMINGS.reconnectMs;
      again = setTimeout(() => {
        end = open();
      }, wait);
    };
    const finish = (id: string) => {
      wanted.delete(id);
      starts?.settle(id);
      if (wanted.size === 0) leave(ENDED);
    };

    socket.onopen = () => {
      say({ type: 'connection_init', payload: { 'x-api-key': apiKey } });
      acknowledging = setTimeout(() => giveUp(NOT_ACKNOWLEDGED), LIVE_TIMINGS.connectionAckMs);
    };
    socket.onclose = ({ code }) => (LASTING.includes(code) ? leave(ENDED) : giveUp(ENDED));
    socket.onmessage = ({ data }) => {
      const { type, id = '', payload }: Message = JSON.parse(data);
      silence?.heard();
      switch (type) {
        case 'connection_ack':
          clearTimeout(acknowledging);
          silence = watchSilence({
            timeoutMs: timeoutOf(payload),
            onMissed: catchUp,
            onTimeout: () => giveUp(SILENT),
          });
          starts = awaitStarts(wanted.keys(), {
            onReady() {
              failures = 0;
              catchUp();
            },
            onTimeout: () => giveUp(SILENT),
          });
          for (const [id, { query, variables }] of wanted) {
            say({ type: 'subscribe', id, payload: { query, variables } });
          }
          break;
        case 'ping':
          starts?.settle(startedOf(payload));
          say({ type: 'pong' });
          break;
        case 'next':
          show(id, payload as Answer);
          break;
        case 'error':
          console.warn('Live updates ended', payload);
          finish(id);
          catchUp();
          break;
        case 'complete':
          finish(id);
      }
    };
    return () => leave(ENDED);
  }

  function show(id: string, { data, errors }: Answer): void {
    if (errors) console.warn('A live update was refused', errors);
    else wanted.get(id)?.next(data);
  }

  return () => {
    clearTimeout(again);
    end();
  };
}

interface Answer {
  data?: unknown;
  errors?: unknown;
}

/** The subscription whose start a ping acknowledges. */
function startedOf(payload: unknown): string {
  const { type, id } = (payload ?? {}) as Record<string, unknown>;
  return type === 'start_ack' ? String(id) : '';
}

/** The server's own timeout wins over the default. */
function timeoutOf(payload: unknown): number {
  const timeout = (payload as Record<string, unknown> | undefined)?.connectionTimeoutMs;
  return typeof timeout === 'number' ? timeout : LIVE_TIMINGS.connectionTimeoutMs;
}

/** Waits until the server has acknowledged the start of each subscription. */
function awaitStarts(
  ids: Iterable<string>,
  { onReady, onTimeout }: { onReady(): void; onTimeout(): void },
) {
  const awaited = new Set(ids);
  const timer = setTimeout(onTimeout, LIVE_TIMINGS.startAckMs);
  return {
    /** The subscription runs, or never will. */
    settle(id: string) {
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

/** Checks how long nothing has arrived, at the specified intervals. */
function watchSilence({ timeoutMs, onMissed, onTimeout }: SilenceOptions) {
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
    /** A message arrived: the silence is over. */
    heard() {
      heardAt = Date.now();
      missed = false;
    },
    stop: () => clearInterval(timer),
  };
}
