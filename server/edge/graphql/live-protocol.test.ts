import type { WebSocket as ProtocolSocket } from 'graphql-ws';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProtocol, type Extra } from './live-protocol.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a socket that says nothing is closed after 15 seconds (specification §9)', async () => {
  const protocol = createProtocol({} as Parameters<typeof createProtocol>[0], () => {});
  const close = vi.fn();
  const socket: ProtocolSocket = {
    ...{ protocol: 'graphql-transport-ws', close },
    ...{ send: () => {}, onMessage: () => {}, onPong: () => {}, ping: () => {} },
  };
  protocol.opened(socket, {} as Extra);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(close).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(close).toHaveBeenCalledExactlyOnceWith(4408, 'Connection initialisation timeout');
});
