import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ACCOUNT_ROUTES } from '../../people/accounts/routes/account-routes.ts';
import { limitKey } from '../../people/accounts/routes/serve-account-route.ts';
import {
  addressKey,
  createRateLimits,
  LIMITS,
  type LimitName,
  MAX_COUNTED,
  NETWORK_SHARE,
  RateLimited,
  type RateLimits,
} from './rate-limits.ts';

const MINUTE = 60_000;
let limits: RateLimits;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  limits = createRateLimits(() => Date.now());
});
afterEach(() => {
  vi.useRealTimers();
});

const take = (key = 'ada', name: LimitName = 'receiptsResent', from?: string) =>
  limits.take(name, key, from);
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

async function takeMany(count: number, ...to: Parameters<typeof take>): Promise<void> {
  for (let taken = 0; taken < count; taken++) await take(...to);
}

/** Seconds to wait, 0 for who is let through. */
async function waitFor(...to: Parameters<typeof take>): Promise<number> {
  try {
    await take(...to);
    return 0;
  } catch (error) {
    if (error instanceof RateLimited) return error.retryAfter;
    throw error;
  }
}

describe('each limit', () => {
  test.each(
    Object.entries(LIMITS).flatMap(([name, windows]) =>
      windows.map(([points, seconds]) => [name as LimitName, points, seconds] as const),
    ),
  )('%s lets %i through in %i seconds, and no more', async (name, points, seconds) => {
    const began = Date.now();
    for (let taken = 0; taken < points; ) {
      const wait = await waitFor('ada', name);
      if (wait === 0) taken += 1;
      // A shorter time has to pass first.
      else pass(wait * 1_000);
    }
    const rest = began + seconds * 1_000 - Date.now();
    expect(rest).toBeGreaterThan(0);
    expect(await waitFor('ada', name)).toBe(rest / 1_000);
    pass(rest - 1);
    expect(await waitFor('ada', name)).toBe(1);
    pass(1);
    expect(await waitFor('ada', name)).toBe(0);
  });
});

test('tells in words how long to wait', async () => {
  await takeMany(3);
  pass(9 * MINUTE + 15_000);
  const refusal = await take().catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfter: 45,
    message: 'Too many attempts. Please try again in 45 seconds.',
  });
});

test('keys and names are counted apart', async () => {
  await takeMany(3);
  await takeMany(3, 'grace');
  await takeMany(5, 'ada', 'codesSent');
  await expect(take()).rejects.toThrow(RateLimited);
});

test('what is given back can be taken again', async () => {
  for (let taken = 0; taken < 20; taken++) (await take())();
  await takeMany(3);
  await expect(take()).rejects.toThrow(RateLimited);
});

test('what is given back after its time is not taken off the next', async () => {
  const giveBack = await take();
  pass(10 * MINUTE);
  await take();
  giveBack();
  await takeMany(2);
  await expect(take()).rejects.toThrow(RateLimited);
});

test('parallel tries share one allowance', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => take()));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('refused tries do not use up the longer window', async () => {
  await takeMany(5, 'ada', 'codesSent');
  for (let refused = 0; refused < 50; refused++) {
    await expect(take('ada', 'codesSent')).rejects.toThrow(RateLimited);
  }
  pass(10 * MINUTE);
  await takeMany(5, 'ada', 'codesSent');
});

test('an IPv6 network counts as one address, an IPv4 address as itself', () => {
  expect(addressKey('2001:db8::1')).toBe(addressKey('2001:db8:0:0:ffff::2'));
  expect(addressKey('2001:db8::1')).not.toBe(addressKey('2001:db8:0:1::1'));
  expect(addressKey('203.0.113.1')).not.toBe(addressKey('203.0.113.2'));
  expect(addressKey('::ffff:203.0.113.1')).toBe(addressKey('203.0.113.1'));
});

describe('what is kept', () => {
  /** A flood of new names. */
  async function flood(settle = (_giveBack: () => void) => {}): Promise<void> {
    for (let name = 0; name < MAX_COUNTED; name++) {
      settle(await take(`name ${name}`, 'receiptsResent', '192.0.2.1'));
    }
  }
  const NETWORK = NETWORK_SHARE * 3;

  test('is bounded: beyond it the networks of who asks are counted, each by itself', async () => {
    await takeMany(3);
    await flood();
    expect(await waitFor('ada')).toBeGreaterThan(0);
    for (let asked = 0; asked < NETWORK; asked++) {
      expect(await waitFor(`new ${asked}`, 'receiptsResent', `203.0.113.${asked}`)).toBe(0);
    }
    expect(await waitFor('newer', 'receiptsResent', '203.0.7.1')).toBeGreaterThan(0);
    expect(await waitFor('newer', 'receiptsResent', '198.51.100.1')).toBe(0);
    expect(await waitFor('newest', 'receiptsResent', addressKey('2001:db8::1'))).toBe(0);
    // An address may be what is counted.
    expect(await waitFor('203.0.99.1')).toBeGreaterThan(0);
    expect(await waitFor('192.0.2.1')).toBe(0);
    pass(10 * MINUTE);
    await takeMany(3, 'newer', 'receiptsResent', '203.0.7.1');
    await expect(take('newer')).rejects.toThrow(RateLimited);
  });

  test.each([
    ['sign-in/email', 'passwordFailuresOfAccount', 30],
    ['email-otp/verify-email', 'codeFailuresOfAccount', 40],
    ['two-factor/verify-totp', 'secondFactorFailuresOfAccount', 15],
    ['sign-up/email', 'codesSentToAccount', 15],
  ])('of %s lets no flood loosen %s', async (path, name, most) => {
    const limitsOfRoute = ACCOUNT_ROUTES[path]?.limits;
    if (!Array.isArray(limitsOfRoute)) throw new Error(`What are the limits of ${path}?`);
    const limit = limitsOfRoute.find((one) => one.name === name);
    const tryOf = (account: string, address: string) => {
      const asker = { account, address, sessionId: null, deviceId: null };
      const [of, from] = (limit && limitKey(limit, asker)) ?? [];
      return waitFor(of, limit?.name, from);
    };
    for (let made = 0; made < MAX_COUNTED; made++) await tryOf(`${made}@example.com`, '192.0.2.1');
    const networks = ['203.0.113.1', '198.51.100.1', '2001:db8::'];
    for (let tried = 0; tried < most; tried++) {
      expect(await tryOf('ada@example.com', networks[tried % 3] ?? '')).toBe(0);
    }
    for (const address of networks) {
      expect(await tryOf('ada@example.com', address)).toBeGreaterThan(0);
    }
    expect(await tryOf('grace@example.com', '203.0.113.1')).toBe(0);
  });

  test('is nothing of who has given everything back', async () => {
    await flood((giveBack) => giveBack());
    for (let asked = 0; asked <= NETWORK; asked++) {
      expect(await waitFor(`new ${asked}`, 'receiptsResent', '203.0.113.1')).toBe(0);
    }
  });

  test('is no longer than a hash of what is counted by', async () => {
    const set = vi.spyOn(Map.prototype, 'set');
    await take('x'.repeat(64 * 1024));
    await take('x'.repeat(64 * 1024 + 1));
    const kept = set.mock.calls.map(([key]) => String(key));
    set.mockRestore();
    expect(new Set(kept).size).toBe(2);
    expect(Math.max(...kept.map((key) => key.length))).toBeLessThanOrEqual(44);
  });
});
