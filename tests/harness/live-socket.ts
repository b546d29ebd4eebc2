import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from './eventually.ts';

type LiveMessage = {
  type: string;
  id?: string;
  payload?: {
    type?: string;
    id?: string;
    connectionTimeoutMs?: number;
    data?: Record<string, Record<string, unknown> | null> | null;
    errors?: { message: string; extensions?: { code?: string } }[];
  };
};

export type LiveSocket = {
  raw: WebSocket;
  /** All that came so far. */
  messages: LiveMessage[];
  send(message: object): void;
  /** The first message that fits, as soon as it is there. */
  find(fits: (message: LiveMessage) => boolean): Promise<LiveMessage>;
  /** Starts a subscription and waits until the server says that it runs. */
  subscribe(id: string, query: string, variables?: Record<string, unknown>): Promise<void>;
  /** The data of each answer to a subscription so far. */
  answers(id: string): (Record<string, unknown> | null | undefined)[];
  /** The code it is closed with. */
  closed: Promise<number>;
};

type Options = {
  /** Absent: no Origin header, as from no browser. */
  origin?: string;
  cookies?: Map<string, string>;
};

/** A bare socket at /graphql, closed when the test ends. */
export function openSocket(app: { origin: string }, { origin, cookies }: Options = {}): LiveSocket {
  const cookie = [...(cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const raw = new WebSocket(`${app.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { ...(origin && { origin }), ...(cookie && { cookie }) },
  });
  const messages: LiveMessage[] = [];
  raw.on('message', (data) => {
    const message: LiveMessage = JSON.parse(String(data));
    messages.push(message);
    if (message.type === 'ping') send({ type: 'pong' });
  });
  const closed = new Promise<number>((resolve) => raw.once('close', resolve));
  // What is refused closes as well: tests look at that.
  raw.on('error', () => {});
  onTestFinished(() => raw.terminate());

  function send(message: object): void {
    raw.send(JSON.stringify(message));
  }

  function find(fits: (message: LiveMessage) => boolean): Promise<LiveMessage> {
    return eventually(
      () => {
        const found = messages.find(fits);
        if (!found) throw new Error(`It is not among ${JSON.stringify(messages)}`);
        return found;
      },
      { intervalMs: 5 },
    );
  }

  return {
    raw,
    messages,
    send,
    find,
    closed,
    async subscribe(id, query, variables) {
      send({ type: 'subscribe', id, payload: { query, variables } });
      await find(({ type, payload }) => type === 'ping' && payload?.id === id);
    },
    answers: (id) =>
      messages
        .filter((message) => message.type === 'next' && message.id === id)
        .map(({ payload }) => Object.values(payload?.data ?? {})[0]),
  };
}

/** A socket that has said who it is and was accepted. */
export async function connectLive(
  app: { origin: string },
  { keys, ...options }: Options & { keys?: Record<string, string> } = {},
): Promise<LiveSocket> {
  const socket = openSocket(app, options);
  await once(socket.raw, 'open');
  socket.send({ type: 'connection_init', ...(keys && { payload: keys }) });
  await socket.find(({ type }) => type === 'connection_ack');
  return socket;
}
