import { EventEmitter } from 'node:events';
import type { WebSocket as ProtocolSocket, Server } from 'graphql-ws';
import { expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { Extra } from './live-protocol.ts';
import { serveSocket } from './serve-socket.ts';

/** A socket whose other end reads nothing: whatever is sent waits. */
class SilentPeer extends EventEmitter {
  OPEN = 1;
  readyState = 1;
  protocol = 'graphql-transport-ws';
  bufferedAmount = 0;
  close = vi.fn();
  pause = vi.fn();
  resume = vi.fn();
  terminate = vi.fn();
  send(data: string, sent: () => void): void {
    this.bufferedAmount += data.length;
    sent();
  }
}

/** Serves the peer. @returns the socket as the protocol sees it */
function serve(peer: SilentPeer): ProtocolSocket {
  let served: ProtocolSocket | undefined;
  const opened: Server<Extra>['opened'] = (socket) => {
    served = socket;
    return async () => {};
  };
  const asking = { headers: {}, cookies: {} };
  const caller = { address: '203.0.113.1', asking, allowMessage: async () => {} };
  serveSocket({ opened }, peer as unknown as WebSocket, caller, (error) => {
    throw error;
  });
  if (!served) throw new Error('The protocol was told of no socket');
  return served;
}

test('a peer that leaves 1 MiB unread is cut off, and no more waits for it', async () => {
  const peer = new SilentPeer();
  const { send } = serve(peer);
  const update = 'x'.repeat(64 * 1024);
  for (let count = 0; count < 17; count += 1) await send(update);
  expect(peer.terminate).not.toHaveBeenCalled();
  await send(update);
  expect(peer.terminate).toHaveBeenCalledTimes(1);
  expect(peer.bufferedAmount).toBe(17 * update.length);
});

test('nothing more is read from a peer while a message of it waits for its turn', async () => {
  const peer = new SilentPeer();
  const handled: string[] = [];
  serve(peer).onMessage(async (data) => void handled.push(data));
  peer.emit('message', 'one');
  peer.emit('message', 'two');
  expect(peer.pause).toHaveBeenCalled();
  expect(handled).toEqual([]);
  await expect.poll(() => peer.resume.mock.calls.length).toBe(1);
  expect(handled).toEqual(['one', 'two']);
});

test('the messages of all peers leave everything else a turn between one and the next', async () => {
  const handled: string[] = [];
  for (let number = 0; number < 3; number += 1) {
    const peer = new SilentPeer();
    serve(peer).onMessage(async (data) => void handled.push(data));
    for (let count = 0; count < 5; count += 1) peer.emit('message', `${number}`);
  }
  const seen: number[] = [];
  while (handled.length < 15) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(handled.length);
  }
  expect(seen.every((count, turn) => count - (seen[turn - 1] ?? 0) <= 1)).toBe(true);
  expect(handled.slice(0, 3).toSorted()).toEqual(['0', '1', '2']);
});
