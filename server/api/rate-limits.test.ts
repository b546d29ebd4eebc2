import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addressKey, createRateLimits, RateLimited, type RateLimits } from './rate-limits.ts';

const MINUTE = 60_000;
let limits: RateLimits;

beforeEach(() => {
  vi.useFakeTimers();
  limits = createRateLimits();
});
afterEach(() => {
  vi.useRealTimers();
});

const take = (key = 'ada', name: Parameters<RateLimits['take']>[0] = 'passwordFailures') =>
  limits.take(name, key);

async function takeMany(count: number, ...to: Parameters<typeof take>): Promise<void> {
  for (let taken = 0; taken < count; taken++) await take(...to);
}

test('refuses the sixth of five, tells how long, and allows again then', async () => {
  await takeMany(5);
  vi.advanceTimersByTime(15_000);
  const refusal = await take().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RateLimited);
  expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 45 });
  vi.advanceTimersByTime(45_000);
  await takeMany(5);
});

test('keys and names are counted apart', async () => {
  await takeMany(5);
  await takeMany(5, 'grace');
  await takeMany(5, 'ada', 'codesSent');
  await expect(take()).rejects.toThrow(RateLimited);
});

test('what is given back can be taken again', async () => {
  for (let taken = 0; taken < 20; taken++) await (await take())();
  await takeMany(5);
  await expect(take()).rejects.toThrow(RateLimited);
});

test('parallel tries share one allowance', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => take()));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

test('refused tries do not use up the longer window', async () => {
  await takeMany(5, 'ada', 'codesSent');
  for (let refused = 0; refused < 50; refused++) {
    await expect(take('ada', 'codesSent')).rejects.toThrow(RateLimited);
  }
  vi.advanceTimersByTime(10 * MINUTE);
  await takeMany(5, 'ada', 'codesSent');
});

test('the longer window holds on', async () => {
  for (let rounds = 0; rounds < 4; rounds++) {
    await takeMany(5, 'ada', 'codesSent');
    vi.advanceTimersByTime(10 * MINUTE);
  }
  const refusal = await take('ada', 'codesSent').catch((error: unknown) => error);
  expect(refusal).toMatchObject({ retryAfter: 24 * 3_600 - 40 * 60 });
  expect(refusal).toHaveProperty('message', 'Too many tries. Please try again in 24 hours.');
});

test('an IPv6 network counts as one address, an IPv4 address as itself', () => {
  expect(addressKey('2001:db8::1')).toBe(addressKey('2001:db8:0:0:ffff::2'));
  expect(addressKey('2001:db8::1')).not.toBe(addressKey('2001:db8:0:1::1'));
  expect(addressKey('203.0.113.1')).not.toBe(addressKey('203.0.113.2'));
  expect(addressKey('::ffff:203.0.113.1')).toBe(addressKey('203.0.113.1'));
});

test('keeps nothing longer than a hash of what is counted by', async () => {
  const consume = vi.spyOn(RateLimiterMemory.prototype, 'consume');
  await take('x'.repeat(64 * 1024));
  await take('x'.repeat(64 * 1024 + 1));
  const kept = consume.mock.calls.map(([key]) => String(key));
  consume.mockRestore();
  expect(new Set(kept).size).toBe(2);
  expect(Math.max(...kept.map((key) => key.length))).toBeLessThanOrEqual(44);
});
