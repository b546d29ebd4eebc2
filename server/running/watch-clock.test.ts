import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../tests/harness/eventually.ts';
import { watchClock } from './watch-clock.ts';

test('a clock that is wrong is told of with its remedy, and one that is right is not', async () => {
  const lines: string[] = [];
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  let offset = 0;
  const stop = watchClock({
    url: `http://127.0.0.1:${port}/`,
    now: () => Date.now() + offset,
    log: { warn: (line: unknown) => lines.push(String(line)) },
    everyMs: 50,
  });
  onTestFinished(stop);
  await eventually(async () => expect(asked).toBeGreaterThan(3));
  expect(lines).toEqual([]);
  offset = 600_000;
  await eventually(async () =>
    expect(lines.at(-1)).toMatch(/is (599|60[01]) s ahead of that of 127\.0\.0\.1.*timedatectl/),
  );
  offset = -600_000;
  await eventually(async () => expect(lines.at(-1)).toMatch(/is (599|60[01]) s behind/));
});
