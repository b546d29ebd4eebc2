import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectLive } from './connect-live.ts';
import { acknowledge, ServedSocket } from './silent-server.test.support.ts';

const FIVE_MINUTES = 300_000;

describe('the connection for live updates', () => {
  const catchUp = vi.fn();
  const next = vi.fn();
  let disconnect: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', ServedSocket);
    ServedSocket.all = [];
    catchUp.mockReset();
    next.mockReset();
  });
  afterEach(() => {
    disconnect();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  async function connect(behave: typeof ServedSocket.behave): Promise<ServedSocket> {
    ServedSocket.behave = behave;
    const subscriptions = ['A', 'B'].map((name) => ({
      query: `subscription ${name} { x }`,
      variables: {},
      next,
    }));
    disconnect = connectLive({
      url: 'ws://localhost/graphql',
      apiKey: 'pk',
      subscriptions,
      catchUp,
    });
    await pass(0);
    return ServedSocket.all[0] as ServedSocket;
  }

  /** When each attempt began, in milliseconds from the first. */
  function attempts(): number[] {
    const [first] = ServedSocket.all;
    return ServedSocket.all.map(({ openedAt }) => openedAt - (first?.openedAt ?? 0));
  }

  test('is given up when its acknowledgement takes 15 seconds', async () => {
    const socket = await connect(() => {});
    await pass(14_999);
    expect(socket.closeCode).toBeUndefined();
    await pass(1);
    expect(socket.closeCode).toBe(4504);
  });

  test('is given up when the start of one subscription is not acknowledged for 15 seconds', async () => {
    const acknowledged = acknowledge();
    const socket = await connect((server, message) => {
      if (message.id !== '1') acknowledged(server, message);
    });
    await pass(14_999);
    expect(socket.closeCode).toBeUndefined();
    expect(catchUp).not.toHaveBeenCalled();
    await pass(1);
    expect(socket.closeCode).toBe(4499);
  });

  test('reads the data afresh once every subscription runs', async () => {
    await connect(acknowledge());
    expect(catchUp).toHaveBeenCalledTimes(1);
  });

  test('misses a keep-alive after 65 seconds of silence, at the check of every 5 seconds', async () => {
    const socket = await connect(acknowledge());
    await pass(2_000);
    socket.say({ type: 'ping' });
    await pass(67_999);
    expect(catchUp).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(catchUp).toHaveBeenCalledTimes(2);
    await pass(60_000);
    expect(catchUp).toHaveBeenCalledTimes(2);
    expect(socket.closeCode).toBeUndefined();
  });

  test('is lost after 5 minutes of silence, when the server names no other time', async () => {
    const socket = await connect(acknowledge());
    await pass(FIVE_MINUTES - 1);
    expect(socket.closeCode).toBeUndefined();
    await pass(1);
    expect(socket.closeCode).toBe(4499);
  });

  test('is lost after the time of silence that the server names', async () => {
    const socket = await connect(acknowledge({ connectionTimeoutMs: 20_000 }));
    await pass(19_999);
    expect(socket.closeCode).toBeUndefined();
    await pass(1);
    expect(socket.closeCode).toBe(4499);
  });

  test('stays while the server pings', async () => {
    const socket = await connect(acknowledge());
    for (let minute = 0; minute < 20; minute++) {
      await pass(60_000);
      socket.say({ type: 'ping' });
    }
    expect(socket.closeCode).toBeUndefined();
    expect(catchUp).toHaveBeenCalledTimes(1);
    expect(ServedSocket.all).toHaveLength(1);
  });

  test('that is lost is tried again after 5 seconds, and then every 60 seconds', async () => {
    const socket = await connect(acknowledge());
    ServedSocket.behave = (server) => server.close(1006);
    socket.close(1006);
    await pass(200_000);
    expect(attempts()).toEqual([0, 5_000, 65_000, 125_000, 185_000]);
  });

  test.each([
    { fault: 'the server', code: 1011, times: 2 },
    { fault: 'the server', code: 4500, times: 2 },
    { fault: 'this page', code: 4400, times: 1 },
  ])('that ends with $code, a fault of $fault, is opened $times times', async ({ code, times }) => {
    const socket = await connect(acknowledge());
    socket.close(code);
    await pass(6_000);
    expect(attempts()).toHaveLength(times);
  });

  test('is tried again as patiently when it opens but never gets as far as running', async () => {
    await connect((socket, { type }) => {
      if (type === 'connection_init') socket.say({ type: 'connection_ack' });
    });
    await pass(200_000);
    expect(attempts()).toEqual([0, 20_000, 95_000, 170_000]);
  });

  test('that came back reads the data afresh, and is tried after 5 seconds the next time', async () => {
    await connect(acknowledge());
    for (const count of [2, 3]) {
      ServedSocket.all.at(-1)?.close(1012);
      await pass(5_000);
      expect(ServedSocket.all).toHaveLength(count);
      expect(catchUp).toHaveBeenCalledTimes(count);
    }
  });

  test('hands each answer to its subscription, and none after its end', async () => {
    const socket = await connect(acknowledge());
    socket.say({ type: 'next', id: '0', payload: { data: { x: 1 } } });
    expect(next).toHaveBeenCalledExactlyOnceWith({ x: 1 });
    disconnect();
    await pass(0);
    expect(socket.closeCode).toBe(1000);
    await pass(FIVE_MINUTES);
    expect(ServedSocket.all).toHaveLength(1);
  });
});
