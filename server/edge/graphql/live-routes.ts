import { once } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { handleProtocols, MessageType, stringifyMessage } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Asking, FindViewer } from '../../ground/lib/viewer.ts';
import { addressKey, RateLimited } from '../http/rate-limits.ts';
import type { SharedContext } from './builder.ts';
import { validationRules } from './limits.ts';
import { createProtocol } from './live-protocol.ts';
import { serveSocket } from './serve-socket.ts';

const PATH = '/graphql';
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Told to an address that holds too many sockets. */
const RETRY_MS = 60_000;
const GOING_AWAY = 1001;
const SERVICE_RESTART = 1012;

interface Context {
  schema: GraphQLSchema;
  shared: SharedContext;
  findViewer: FindViewer;
  publicUrl: string;
  /** Off in production. */
  introspection: boolean;
}

/** Live updates: subscriptions by WebSocket, at the path of the queries. */
export function registerLive(app: FastifyInstance, context: Context): void {
  const { schema, shared, findViewer, publicUrl, introspection } = context;
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
  const protocol = createProtocol({ schema, shared, findViewer, rules, logUnexpected });
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
    const asking = checkOrigin(request, publicUrl);
    const address = addressKey(request.ip);
    const giveBack = counts.take(address);
    if (!giveBack) throw new RateLimited(RETRY_MS);
    upgrade.socket.once('close', giveBack);
    release(reply, upgrade.socket);
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

/** From here on the socket is no longer one of HTTP. */
function release(reply: FastifyReply, socket: Socket): void {
  reply.hijack();
  reply.raw.detachSocket(socket);
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

/** A school shares one address; each open page holds one socket. */
const MAX_SOCKETS_PER_ADDRESS = 100;

interface SocketCounts {
  /** @returns gives the place back; null when the address has no more */
  take(address: string): (() => void) | null;
}

/** How many sockets each address holds open. */
function createSocketCounts(): SocketCounts {
  const counts = new Map<string, number>();
  return {
    take(address) {
      const held = counts.get(address) ?? 0;
      if (held >= MAX_SOCKETS_PER_ADDRESS) return null;
      counts.set(address, held + 1);
      return () => {
        const left = (counts.get(address) ?? 1) - 1;
        if (left === 0) counts.delete(address);
        else counts.set(address, left);
      };
    },
  };
}

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
