import { describe, expect, test } from 'vitest';
import { RateLimited } from '../../edge/http/rate-limits.ts';
import { announce, create, patch, traces, useUploadServer } from './upload-server.test.support.ts';

describe('a creator who opens uploads too fast', () => {
  const asked: string[] = [];
  const server = useUploadServer({
    limits: {
      async take(_name, userId) {
        asked.push(userId);
        if (asked.length > 1) throw new RateLimited(5_000);
        return () => {};
      },
    },
  });

  test('is asked to wait, but may continue what is open', async () => {
    const path = await create(server, 5);
    const before = await traces(server);
    const refused = await announce(server, 5);
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'RATE_LIMITED']);
    expect(await traces(server)).toEqual(before);
    expect((await patch(server, path, 0, 'hello')).status).toBe(204);
    expect(asked).toEqual(['alice', 'alice']);
  });
});
