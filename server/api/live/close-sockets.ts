import { once } from 'node:events';
import type { WebSocket } from 'ws';

const PATIENCE_MS = 500;

/** Closes sockets and waits until they are: those that do not answer are cut off. */
export async function closeSockets(
  sockets: Iterable<WebSocket>,
  code: number,
  reason: string,
): Promise<void> {
  await Promise.all(
    [...sockets].map(async (socket) => {
      const closed = once(socket, 'close');
      const timer = setTimeout(() => socket.terminate(), PATIENCE_MS);
      socket.close(code, reason);
      await closed;
      clearTimeout(timer);
    }),
  );
}
