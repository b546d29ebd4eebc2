import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallLimit, limitCalls, type Urgency } from './limit-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks for places, in this order. @returns those that were let through so far, in theirs */
function ask(limit: ReturnType<typeof createCallLimit>, ...urgencies: Urgency[]): Urgency[] {
  const through: Urgency[] = [];
  for (const urgency of urgencies) void limit.admit(urgency).then(() => through.push(urgency));
  return through;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('no second has more calls than the provider allows', async () => {
  const through = ask(createCallLimit(4), ...Array<Urgency>(10).fill('awaited'));
  await pass(0);
  expect(through).toHaveLength(4);
  await pass(900);
  expect(through).toHaveLength(4);
  await pass(200);
  expect(through).toHaveLength(8);
  await pass(1_000);
  expect(through).toHaveLength(10);
});

test('a new checkout goes before what somebody waits for, and that before the rest', async () => {
  const limit = createCallLimit(4);
  const first = ask(limit, ...Array<Urgency>(4).fill('awaited'));
  const later = ask(limit, 'background', 'awaited', 'checkout', 'checkout', 'checkout');
  await pass(0);
  expect(first).toHaveLength(4);
  expect(later).toEqual([]);
  await pass(1_050);
  expect(later).toEqual(['checkout', 'checkout', 'checkout', 'awaited']);
  await pass(1_050);
  expect(later.at(-1)).toBe('background');
});

test('what can wait leaves half of the places to those who come', async () => {
  const limit = createCallLimit(4);
  const background = ask(limit, 'background', 'background', 'background');
  const buyers = ask(limit, 'checkout', 'checkout', 'checkout');
  await pass(0);
  expect(background).toHaveLength(2);
  expect(buyers).toHaveLength(2);
});

test('new buyers leave some places to those who have paid', async () => {
  const limit = createCallLimit(10);
  const buyers = ask(limit, ...Array<Urgency>(10).fill('checkout'));
  const paid = ask(limit, 'awaited', 'awaited');
  await pass(0);
  expect(buyers).toHaveLength(8);
  expect(paid).toHaveLength(1);
});

test('what can wait has a place of its own, however much the others ask', async () => {
  const limit = createCallLimit(20);
  for (let second = 0; second < 3; second += 1) {
    ask(limit, ...Array<Urgency>(40).fill('checkout'), ...Array<Urgency>(40).fill('awaited'));
  }
  const background = ask(limit, ...Array<Urgency>(3).fill('background'));
  await pass(3_500);
  expect(background).toHaveLength(3);
});

test('what can wait makes room for a while when the provider has refused a call', async () => {
  const limit = createCallLimit(4);
  limit.makeRoom();
  const background = ask(limit, 'background', 'background');
  const buyers = ask(limit, 'checkout');
  await pass(900);
  expect(background).toHaveLength(1);
  expect(buyers).toHaveLength(1);
  await pass(200);
  expect(background).toHaveLength(2);
});

test('a queue that is too long to be served in time is not joined', async () => {
  const limit = createCallLimit(1);
  const buyers = Promise.all(Array.from({ length: 10 }, () => limit.admit('checkout')));
  await pass(15_000);
  expect(await buyers).toEqual([...Array(9).fill(true), false]);
});

test('a provider that does not count is asked at once', async () => {
  const limit = createCallLimit(Number.POSITIVE_INFINITY);
  const through = ask(limit, ...Array<Urgency>(1_000).fill('background'));
  await pass(0);
  expect(through).toHaveLength(1_000);
});

test('a call that cannot be served in time is not made, nor asked for again by the client', async () => {
  const limit = createCallLimit(1);
  ask(limit, ...Array<Urgency>(9).fill('checkout'));
  const makeRequest = vi.fn();
  const client = limitCalls({ getClientName: () => 'test', makeRequest }, limit, true);
  const headers = {};
  const path = '/v1/checkout/sessions';
  const answer = await client.makeRequest('', '', path, 'POST', headers, '', 'http', 1_000);
  expect(answer.getStatusCode()).toBe(429);
  expect(answer.getHeaders()).toEqual({ 'stripe-should-retry': 'false' });
  expect(makeRequest).not.toHaveBeenCalled();
});

test('there is room for calls of their own while nobody waits and the provider has refused none', async () => {
  const limit = createCallLimit(10);
  ask(limit, ...Array<Urgency>(7).fill('checkout'));
  await pass(0);
  expect(limit.hasRoom()).toBe(true);
  limit.makeRoom();
  expect(limit.hasRoom()).toBe(false);
  await pass(1_000);
  expect(limit.hasRoom()).toBe(true);
  ask(limit, ...Array<Urgency>(8).fill('awaited'));
  await pass(0);
  expect(limit.hasRoom()).toBe(false);
  expect(createCallLimit(Number.POSITIVE_INFINITY).hasRoom()).toBe(false);
});
