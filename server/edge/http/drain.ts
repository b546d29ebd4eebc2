import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * What was sent before a stop may still wait to be accepted: the server goes on taking connections
 * and requests until none came for `QUIET_MS`, at most for `LINGER_MS`. Milliseconds.
 */
const QUIET_MS = 50;
const LINGER_MS = 2_000;
/** Of the event loop: to accept a connection, to read its request, and to have it answered. */
const TURNS = 3;
/**
 * How long requests, downloads and uploads may continue in all, in milliseconds. Then they are cut
 * off: browsers can resume a download, and tus an upload.
 */
const DRAIN_MS = 5_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether it is about to be closed: it serves as ever, and says that it is not ready. */
    leaving: boolean;
    /** Whether it is being closed: it still answers, and keeps no connection. */
    draining: boolean;
  }
}

interface Connection {
  /** Under way. */
  answer: ServerResponse | null;
}

/** Whether it becomes a WebSocket. Other protocols are offered only, by curl for one. */
export function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Makes `app.close()` finish what is in progress: connections end with their responses, new ones
 * are refused, and whatever takes longer than `DRAIN_MS` is cut off.
 * @returns to be called with each request before it is answered
 */
export function drainOnClose(
  app: FastifyInstance,
): (request: IncomingMessage, response: ServerResponse) => void {
  /** Not by answers: a map that changes with each of them is rebuilt all the time, and keeps old ones alive. */
  const connections = new Map<Socket, Connection>();
  /** Answers under way. */
  let open = 0;
  /** Connections and requests. */
  let arrived = 0;
  let cutting: NodeJS.Timeout | undefined;
  let drained = () => {};
  app.decorate('leaving', false);
  app.decorate('draining', false);

  app.server.on('connection', (socket: Socket) => {
    arrived += 1;
    watch(socket);
  });
  app.addHook('preClose', async () => {
    app.draining = true;
    for (const { answer } of connections.values()) {
      if (answer?.headersSent === false) answer.setHeader('connection', 'close');
    }
    if (!app.server.listening) return;
    cutting = setTimeout(cut, DRAIN_MS);
    await untilQuiet();
  });

  // The server has closed; where one name has several addresses, the others may have not.
  app.addHook('onClose', async () => {
    if (open > 0) {
      await new Promise<void>((resolve) => {
        drained = resolve;
      });
    }
    clearTimeout(cutting);
  });

  return (request, response) => {
    // A live connection is no answer that ends; its own hook closes it.
    if (isUpgrade(request)) return;
    const { socket } = request;
    arrived += 1;
    open += 1;
    // Where one name has several addresses, the connections of the others are not told of.
    const connection = connections.get(socket) ?? watch(socket);
    connection.answer = response;
    response.on('close', () => {
      open -= 1;
      if (connection.answer === response) connection.answer = null;
      // Its head was sent before it could say so. A refused body is still being taken.
      if (app.draining && request.complete) socket.destroySoon();
      if (open === 0) drained();
    });
    if (app.draining) response.setHeader('connection', 'close');
  };

  function watch(socket: Socket): Connection {
    const connection: Connection = { answer: null };
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  }

  async function untilQuiet(): Promise<void> {
    const end = performance.now() + LINGER_MS;
    let before: number;
    do {
      before = arrived;
      await sleep(QUIET_MS);
      // On a busy machine the pause may have passed without a look at the network.
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    } while (arrived > before && performance.now() < end);
  }

  function cut(): void {
    app.server.closeAllConnections();
    for (const [socket, { answer }] of connections) {
      if (answer) socket.destroy();
    }
  }
}
