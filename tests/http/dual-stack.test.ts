import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../server/edge/http/rate-limits.ts';
import { createPersonAt, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describe('a product that listens on IPv4 and IPv6', () => {
  const app = useApp({ env: { HOST: '::', TRUSTED_PROXIES: '127.0.0.1,::1' } });

  test.each([
    ['127.0.0.1', '203.0.113.1', '203.0.113.2'],
    ['[::1]', '2001:db8:0:1::1', '2001:db8:0:2::1'],
  ])('tells by what its proxy at %s says who asks', async (proxy, one, other) => {
    const { origin } = app;
    const checkOut = async (client: string) => {
      const person = createPersonAt({ origin: origin.replace('localhost', proxy) }, client);
      const body = { paywallId: 'ffffffff' };
      return (await postJson(person, '/prod/checkout', body, { origin })).status;
    };
    const most = LIMITS.checkoutsOfAddress[0]?.[0] ?? 0;
    const answers = await Promise.all(Array.from({ length: most + 1 }, () => checkOut(one)));
    expect(answers.filter((status) => status === 404)).toHaveLength(most);
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
    expect(await checkOut(other)).toBe(404);
  });
});
