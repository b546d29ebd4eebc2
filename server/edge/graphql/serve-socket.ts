import { CloseCode, type Server } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { createTurns } from '../../ground/lib/turns.ts';
import { RateLimited } from '../http/rate-limits.ts';
import type { Extra } from './live-protocol.ts';

/** What may wait for a slow reader. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Close code "try again later": a client comes again. */
const TRY_AGAIN_LATER = 1013;

interface Caller extends Pick<Extra, 'address' | 'asking'> {
  /** @throws RateLimited when too many messages came on this socket or from its address */
  allowMessage(): Promise<unknown>;
}

/** Of all sockets: reading one message may take the processor for milliseconds. */
const takeTurn = createTurns();

/** Speaks the protocol over one opened socket, until it closes. */
export function serveSocket(
  protocol: Server<Extra>,
  socket: WebSocket,
  { allowMessage, ...caller }: Caller,
  logUnexpected: (error: unknown) => void,
): void {
  const inTurn = createLine(socket, allowMessage, (error) => {
    if (error instanceof RateLimited) return socket.close(TRY_AGAIN_LATER, error.message);
    fail(error);
  });
  function fail(error: unknown): void {
    logUnexpected(error);
    socket.close(TRY_AGAIN_LATER, 'Something went wrong on our side');
  }
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) => send(socket, data),
      close: (code, reason) => socket.close(code, reason),
      onMessage(handle) {
        // A subscription's message is handled for as long as it runs: nothing waits for that.
        socket.on('message', (data) => inTurn(() => void handle(String(data)).catch(fail)));
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

/**
 * Does the work of one message of a socket after the other, each when it is its turn among those of
 * all sockets. Meanwhile nothing more is read from the socket.
 */
function createLine(
  socket: WebSocket,
  allowMessage: () => Promise<unknown>,
  refuse: (error: unknown) => void,
): (work: () => void) => void {
  let last = Promise.resolve();
  let waiting = 0;
  const isOpen = () => socket.readyState === socket.OPEN;

  async function doNext(work: () => void): Promise<void> {
    try {
      // What came before may have closed it, or its other end meanwhile.
      if (isOpen()) await takeTurn();
      if (!isOpen()) return;
      await allowMessage();
      work();
    } catch (error) {
      refuse(error);
    } finally {
      waiting -= 1;
      if (waiting === 0) socket.resume();
    }
  }

  return (work) => {
    waiting += 1;
    socket.pause();
    last = last.then(() => doNext(work));
  };
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
