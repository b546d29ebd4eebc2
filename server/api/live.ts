import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { DomainError } from '../domain/domain-error.ts';
import type { Asking, FindViewer } from './find-viewer.ts';
import type { GraphqlServices } from './graphql/builder.ts';
import { validationRules } from './graphql/query-limits.ts';
import { closeSockets } from './live/close-sockets.ts';
import { createSocketCounts } from './live/count-sockets.ts';
import { createProtocol } from './live/create-protocol.ts';
import { createKeepAlive } from './live/keep-alive.ts';
import { serveSocket } from './live/serve-socket.ts';
import { addressKey, RateLimited } from './rate-limits.ts';

const PATH = '/graphql';
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Told to an address that holds too many sockets. */
const RETRY_MS = 60_000;
const GOING_AWAY = 1001;
const SERVICE_RESTART = 1012;

interface Deps {
  services: GraphqlServices;
  findViewer: FindViewer;
  publicUrl: string;
  /** Off in production. */
  introspection: boolean;
  /** @throws RateLimited for a socket, by any name of its own, or an address that says too much */
  allowMessage(socket: string, address: string): Promise<unknown>;
}

/** Live updates: subscriptions by WebSocket, at the path of the queries. */
export function registerLive(app: FastifyInstance, deps: Deps): void {
  const { services, findViewer, publicUrl, introspection, allowMessage } = deps;
  const logUnexpected = (error: unknown) => app.log.error({ err: error }, 'a live update failed');
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  const counts = createSocketCounts();
  const keepAlive = createKeepAlive();
  const rules = validationRules('socket', { introspection });
  const protocol = createProtocol({ services, findViewer, rules, logUnexpected });
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

  app.addHook('onRequest', async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (!upgrade || pathOf(request.raw) !== PATH) return;
    const asking = checkOrigin(request, publicUrl);
    const address = addressKey(request.ip);
    const giveBack = counts.take(address);
    if (!giveBack) throw new RateLimited(RETRY_MS);
    upgrade.socket.once('close', giveBack);
    release(reply, upgrade.socket);
    sockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
      keepAlive.watch(socket);
      const caller = { address, asking, allowMessage: () => allowMessage(request.id, address) };
      serveSocket(protocol, socket, caller, logUnexpected);
    });
  });

  const unsubscribe = services.changes.subscribe({
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
  throw new DomainError('CROSS_SITE', `Live updates are only given to ${publicUrl}.`);
}

/** From here on the socket is no longer one of HTTP. */
function release(reply: FastifyReply, socket: Socket): void {
  reply.hijack();
  reply.raw.detachSocket(socket);
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
