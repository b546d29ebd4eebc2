import { MessageType, stringifyMessage } from 'graphql-ws';
import type { WebSocket } from 'ws';

/** Twice as often as promised: a client counts a keep-alive as missed after 65 s. */
const PING_MS = 30_000;
const PING = stringifyMessage({ type: MessageType.Ping });

export interface KeepAlive {
  /** Pings the socket from now on, and drops it when nothing came from it between two pings. */
  watch(socket: WebSocket): void;
  stop(): void;
}

/** The pings are messages of the protocol: a browser's script never sees those of WebSocket. */
export function createKeepAlive(): KeepAlive {
  const watched = new Set<WebSocket>();
  const silent = new Set<WebSocket>();

  const timer = setInterval(() => {
    for (const socket of watched) {
      if (silent.has(socket)) {
        socket.terminate();
      } else {
        silent.add(socket);
        socket.send(PING);
      }
    }
  }, PING_MS);

  return {
    watch(socket) {
      watched.add(socket);
      socket.on('message', () => silent.delete(socket));
      socket.once('close', () => {
        watched.delete(socket);
        silent.delete(socket);
      });
    },
    stop: () => clearInterval(timer),
  };
}
