import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { createKeepAlive } from './live-routes.ts';

/** A socket as far as it is kept alive. */
class Peer extends EventEmitter {
  send = vi.fn();
  terminate = vi.fn(() => this.emit('close'));
}

describe('the keep-alive of live connections', () => {
  let keepAlive: ReturnType<typeof createKeepAlive>;
  let peer: Peer;

  beforeEach(() => {
    vi.useFakeTimers();
    keepAlive = createKeepAlive();
    peer = new Peer();
    keepAlive.watch(peer as unknown as WebSocket);
  });
  afterEach(() => {
    keepAlive.stop();
    vi.useRealTimers();
  });

  test('pings each peer at least once a minute, in the protocol that a page can hear', () => {
    peer.send.mockImplementation(() => peer.emit('message', '{"type":"pong"}'));
    vi.advanceTimersByTime(10 * 60_000);
    expect(peer.send.mock.calls.length).toBeGreaterThanOrEqual(10);
    expect(peer.send.mock.calls.every(([text]) => text === '{"type":"ping"}')).toBe(true);
    expect(peer.terminate).not.toHaveBeenCalled();
  });

  test('drops a peer that does not answer a ping before the next', () => {
    vi.advanceTimersByTime(60_000);
    expect(peer.send).toHaveBeenCalledTimes(1);
    expect(peer.terminate).toHaveBeenCalledTimes(1);
  });

  test('asks nothing of a peer that has left', () => {
    peer.emit('close');
    vi.advanceTimersByTime(10 * 60_000);
    expect(peer.send).not.toHaveBeenCalled();
  });
});
