import { once } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { handleProtocols, MessageType, stringifyMessage } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Asking } from '../../ground/lib/viewer.ts';
import { createPlaces } from '../http/places.ts';
import { addressKey, RateLimited } from '../http/rate-limits.ts';
import type { SchemaContext } from './builder.ts';
import { createProtocol } from './live-protocol.ts';
import { serveSocket } from './serve-socket.ts';

const PATH = '/graphql';
const MAX_MESSAGE_BYTES = 64 * 1024;
/** A school shares one address; each open page holds one socket. */
const MAX_SOCKETS_PER_ADDRESS = 100;
/** Told to an address that holds too many sockets. */
const RETRY_MS = 60_000;
const GOING_AWAY = 1001;
const SERVICE_RESTART = 1012;

/** Live updates: subscriptions by WebSocket, at the path of the queries. */
export function registerLive(app: FastifyInstance, served: SchemaContext): void {
  const { shared } = served;
  const logUnexpected = (error: unknown) => app.log.error({ err: error }, 'a live update failed');
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  const takePlace = createPlaces(MAX_SOCKETS_PER_ADDRESS);
  const keepAlive = createKeepAlive();
  const protocol = createProtocol(served, logUnexpected);
  const upgrades = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>();

  // The request passes the hooks of every other: its address and its cookies are read as theirs.
  app.server.on('upgrade', (raw, socket: Socket, head) => {
    // In development the pages' own reloading listens as well.
    if (pathOf(raw) !== PATH && app.server.listenerCount('upgrade') > 1) return;
    socket.on('error', () => socket.destroy());
    upgrades.set(raw, { socket, head });
    const response = new ServerResponse(raw);
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    app.routing(raw, response);
  });

  app.addHook('onRequest', (request, reply, done) => {
    const upgrade = upgrades.get(request.raw);
    if (!upgrade || pathOf(request.raw) !== PATH) return done();
    const asking = checkOrigin(request, shared.publicUrl);
    const address = addressKey(request.ip);
    const giveBack = takePlace(address);
    if (!giveBack) throw new RateLimited(RETRY_MS);
    upgrade.socket.once('close', giveBack);
    // From here on the socket is no longer one of HTTP.
    reply.hijack();
    reply.raw.detachSocket(upgrade.socket);
    sockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
      keepAlive.watch(socket);
      const allowMessage = async () => {
        await shared.limits.take('liveMessages', request.id);
        await shared.limits.take('liveMessagesOfAddress', address);
      };
      const caller = { address, asking, allowMessage };
      serveSocket(protocol, socket, caller, logUnexpected);
    });
  });

  const unsubscribe = shared.changes.subscribe({
    // Clients that come again read everything afresh.
    missed: () => void closeSockets(sockets.clients, SERVICE_RESTART, 'Changes may be missing'),
  });

  app.addHook('preClose', async () => {
    unsubscribe();
    keepAlive.stop();
    await closeSockets(sockets.clients, GOING_AWAY, 'Going away');
  });
}

/**
 * Another site's page could open a socket with its visitor's cookies. A client that names no
 * origin is no browser; its cookies count for nothing, its keys do.
 * @throws DomainError CROSS_SITE
 */
function checkOrigin({ headers, cookies }: FastifyRequest, publicUrl: string): Asking {
  if (headers.origin === undefined) return { headers: {}, cookies: {} };
  if (headers.origin === publicUrl) return { headers, cookies };
  throw new DomainError('CROSS_SITE', `Live updates are only available to ${publicUrl}.`);
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

const PATIENCE_MS = 500;

/** Closes sockets and waits until they are: those that do not answer are cut off. */
async function closeSockets(
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

/** Twice as often as promised: a client counts a keep-alive as missed after 65 s. */
const PING_MS = 30_000;
const PING = stringifyMessage({ type: MessageType.Ping });

/** The pings are messages of the protocol: a browser's script never sees those of WebSocket. */
export function createKeepAlive() {
  const watched = new Set<WebSocket>();
  const silent = new Set<WebSocket>();

  const timer = setInterval(() => {
    for (const socket of watched) {
      if (silent.has(socket)) socket.terminate();
      else {
        silent.add(socket);
        socket.send(PING);
      }
    }
  }, PING_MS);

  return {
    /** Pings the socket from now on, and drops it when nothing came from it between two pings. */
    watch(socket: WebSocket): void {
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
