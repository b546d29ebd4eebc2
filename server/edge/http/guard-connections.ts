import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createPlaces } from './places.ts';
import { addressKey } from './rate-limits.ts';

/** A client that reads nothing of its response for this long is gone, in milliseconds. */
export const STALLED_MS = 30_000;
/**
 * For downloads, which use little memory and which people pause or read slowly, in milliseconds.
 */
export const STALLED_DOWNLOAD_MS = 5 * 60_000;
/** A school shares one address, and a browser opens six connections to a site. */
export const MAX_CONNECTIONS_OF_ADDRESS = 1_024;
/** In all; fewer where the process may open few files (`connectionsInAll`). */
export const MAX_CONNECTIONS = 8_192;
/** Requests of one connection that wait for their answers. Browsers and proxies send one at a time. */
export const MAX_PIPELINED_REQUESTS = 16;
/** Held even where the process may open hardly any files. */
const FEWEST_CONNECTIONS = 256;
/** Files that stay free of connections: the database, uploads, the provider, mail. */
const OTHER_FILES = 256;

interface Options {
  trustedProxies: string[];
  stalledMs?: number | undefined;
}

interface Connection {
  /** Requests that wait for their answers. */
  waiting: number;
  /** How far its reader has come, and in how many looks it did not move; null: nothing is sent. */
  progress: { taken: number; queued: number; still: number } | null;
}

/** Looks in which an answer of `STALLED_MS` may stand still: never by the clock, which a busy process misses. */
const LOOKS = 3;
/** How many times as many looks the answer under way on a connection may stand still. */
const patience = new WeakMap<Socket, number>();

/** Lets the reader of this answer stand still for `STALLED_DOWNLOAD_MS`. */
export function bearWithReader({ raw }: FastifyRequest, response: ServerResponse): void {
  const { socket } = raw;
  patience.set(socket, STALLED_DOWNLOAD_MS / STALLED_MS);
  response.once('close', () => patience.delete(socket));
}

/**
 * Limits what a stranger's connections can use, whatever is sent over them: their number, per
 * address and in all, the requests in progress on each, and the responses that nobody reads. Beyond
 * a limit, a connection is closed without a response.
 * @returns to be called with each request: whether it may be answered
 */
export function guardConnections(
  app: FastifyInstance,
  { trustedProxies, stalledMs = STALLED_MS }: Options,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const isProxy = compile(trustedProxies);
  const connections = new Map<Socket, Connection>();
  const takePlace = createPlaces(MAX_CONNECTIONS_OF_ADDRESS);

  app.server.maxConnections = connectionsInAll(readOpenFiles());
  app.server.on('drop', (dropped) =>
    app.log.warn(
      { client: dropped?.remoteAddress },
      'no more connections can be accepted: new ones are closed',
    ),
  );
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Gone already: what it sent may be read all the same.
    if (remoteAddress === undefined) return void socket.destroy();
    // The connections of a proxy are those of many people.
    if (!isProxy(remoteAddress, 0)) {
      const address = addressKey(remoteAddress);
      const giveBack = takePlace(address);
      if (!giveBack) {
        app.log.warn(
          { client: address },
          `an address has ${MAX_CONNECTIONS_OF_ADDRESS} connections: further ones are closed. If it is your proxy, add it to TRUSTED_PROXIES`,
        );
        return void socket.destroy();
      }
      socket.once('close', giveBack);
    }
    watch(socket);
  });

  function watch(socket: Socket): Connection {
    const connection: Connection = { waiting: 0, progress: null };
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  }

  const timer = setInterval(endStalled, stalledMs / LOOKS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));

  return ({ socket }, response) => {
    // Those that came in the same packet as the last one are still handed over: none of them is begun.
    if (socket.destroyed) return false;
    // Where one name has several addresses, the connections of the others are not told of.
    const connection = connections.get(socket) ?? watch(socket);
    if (connection.waiting === MAX_PIPELINED_REQUESTS) {
      socket.destroy();
      return false;
    }
    connection.waiting += 1;
    response.on('close', () => {
      connection.waiting -= 1;
    });
    return true;
  };

  function endStalled(): void {
    for (const [socket, connection] of connections) {
      const before = connection.progress;
      if (socket.writableLength === 0) {
        connection.progress = null;
        continue;
      }
      const taken = socket.bytesWritten - socket.writableLength;
      const queued = queuedBytes(socket);
      const hasMoved = before?.taken !== taken || before.queued !== queued;
      const still = hasMoved ? 0 : before.still + 1;
      connection.progress = { taken, queued, still };
      // By a reset: otherwise the system would keep what it has buffered, and offer it for minutes.
      if (still >= LOOKS * (patience.get(socket) ?? 1)) socket.resetAndDestroy();
    }
  }
}

/**
 * How many connections a process holds that may have so many files open: two files for each,
 * because a download holds its file as well.
 */
export function connectionsInAll(openFiles: number): number {
  const room = Math.floor((openFiles - OTHER_FILES) / 2);
  return Math.min(MAX_CONNECTIONS, Math.max(room, FEWEST_CONNECTIONS));
}

/** How many files this process may have open; no bound where the system names none. */
function readOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** What the system has not taken yet of the write that is under way: it alone shows a slow reader. */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
}
