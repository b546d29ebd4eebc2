import { CloseCode, type Server } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Extra } from './create-protocol.ts';

/** What may wait for a slow reader. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Close code "try again later": a client comes again. */
const TRY_AGAIN_LATER = 1013;

/** Speaks the protocol over one opened socket, until it closes. */
export function serveSocket(
  protocol: Server<Extra>,
  socket: WebSocket,
  caller: Pick<Extra, 'address' | 'asking'>,
  logUnexpected: (error: unknown) => void,
): void {
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) => send(socket, data),
      close: (code, reason) => socket.close(code, reason),
      onMessage(handle) {
        socket.on('message', (data) => {
          handle(String(data)).catch((error: unknown) => {
            logUnexpected(error);
            socket.close(TRY_AGAIN_LATER, 'Something went wrong on our side');
          });
        });
      },
    },
    { socket, ...caller },
  );
  // A frame that is too large or broken: the library answers it with the close code it deserves.
  socket.on('error', () => {});
  socket.once('close', (code: number = CloseCode.BadRequest, reason: Buffer) => {
    closed(code, String(reason)).catch(logUnexpected);
  });
}

function send(socket: WebSocket, data: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) {
    socket.terminate();
    return Promise.resolve();
  }
  // One that closes meanwhile is no fault.
  return new Promise((resolve) => socket.send(data, () => resolve()));
}
