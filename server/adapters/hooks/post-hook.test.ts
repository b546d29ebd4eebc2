import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { putIntoEnglish, readFact } from '../../../contract/fact.ts';
import { createPostHook, isPublic } from './post-hook.ts';

const MESSAGE = { headers: { 'webhook-id': '1' }, body: '{}' };
const REFUSED = { status: null, answer: expect.stringMatching(/is not a public address/) };

let reached = 0;
let port = 0;
let post: ReturnType<typeof createPostHook>;

beforeAll(async () => {
  const server = createServer((_request, response) => {
    reached += 1;
    response.end('x'.repeat(5_000));
  });
  await once(server.listen(0, '::'), 'listening');
  ({ port } = server.address() as AddressInfo);
  server.unref();
  post = createPostHook({ allowPrivate: false, version: '1' });
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Lets every name stand for these addresses, one list at each look. */
function resolveTo(...answers: string[][]) {
  const looked = vi.spyOn(dns, 'lookup').mockImplementation(((
    _name: string,
    _options: object,
    done: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const found = answers.length > 1 ? answers.shift() : answers[0];
    done(
      null,
      (found ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as never);
  syncBuiltinESMExports();
  return looked;
}

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '2130706433',
  '0x7f.1',
  '[::]',
  '[::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[ff02::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:db8::1]',
  'localhost',
])('nothing is sent to %s', async (host) => {
  expect(await post(`http://${host}:${port}/`, MESSAGE)).toEqual(REFUSED);
  expect(reached).toBe(0);
});

test.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111'])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});

test('a name is looked up once for each connection, and refused if any of its addresses is not public', async () => {
  const url = `http://changing.example:${port}/`;
  const looked = resolveTo(['127.0.0.1']);
  expect(await post(url, MESSAGE)).toEqual(REFUSED);
  expect(looked).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
  resolveTo(['93.184.215.14', '10.0.0.1']);
  expect(await post(url, MESSAGE)).toEqual(REFUSED);
  expect(reached).toBe(0);
});

test('a name that stands for a public address first and for this machine later reaches nothing here', async () => {
  // Whatever is connected to is what was found public: a second look would be answered otherwise.
  const looked = resolveTo(['2001:4860:4860::8888'], ['127.0.0.1']);
  const first = post(`http://changing.example:${port}/`, MESSAGE);
  await expect.poll(() => looked.mock.calls.length).toBe(1);
  expect(await post(`http://changing.example:${port}/`, MESSAGE)).toEqual(REFUSED);
  await first;
  expect(looked).toHaveBeenCalledTimes(2);
  expect(reached).toBe(0);
});

test('receivers of the own network are reached where the operator lets them, and 1 KiB of their answer is read', async () => {
  const local = createPostHook({ allowPrivate: true, version: '1' });
  const { status, answer } = await local(`http://127.0.0.1:${port}/`, MESSAGE);
  expect([status, answer.length]).toEqual([200, 1024]);
  expect(reached).toBe(1);
  const closed = await local('http://127.0.0.1:1/', MESSAGE);
  expect(closed.status).toBeNull();
  expect(putIntoEnglish(readFact(closed.answer))).toMatch(/^The connection failed: ./);
});
