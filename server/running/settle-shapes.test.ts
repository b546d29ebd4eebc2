import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SERVER = new URL('../edge/http/server.ts', import.meta.url).href;
const SETTLE = new URL('settle-shapes.mjs', import.meta.url).href;

/**
 * Asks as often as argv says, collects garbage, asks ten times more, and prints which were in
 * dictionary mode, and whether what waits for the next tick has the shape that it had before.
 */
const CHILD = `
  import { executionAsyncResource } from 'node:async_hooks';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import pino from 'pino';
  import { createServer } from '${SERVER}';
  import { settleShapes } from '${SETTLE}';

  setFlagsFromString('--expose-gc');
  setFlagsFromString('--allow-natives-syntax');
  const isSlow = new Function('object', 'return !%HasFastProperties(object)');
  const isAlike = new Function('one', 'other', 'return %HaveSameMap(one, other)');
  const held = settleShapes();
  const answers = [];
  const log = pino({ level: 'silent' });
  const app = await createServer({ publicUrl: 'http://127.0.0.1', trustedProxies: [], log });
  app.server.prependListener('request', (request, response) => {
    answers.push(isSlow(request) || isSlow(response));
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = () => fetch(origin, { redirect: 'manual' }).then((answer) => answer.text());
  for (let asked = 0; asked < Number(process.argv[1]); asked += 1) await ask();
  runInNewContext('gc')({ type: 'major', flavor: 'last-resort' });
  for (let asked = 0; asked < 10; asked += 1) await ask();
  process.nextTick(() => {
    console.log(JSON.stringify({ answers, isTickAlike: isAlike(held[0], executionAsyncResource()) }));
    process.exit();
  });
`;

it.each([0, 1, 5, 6, 7])(
  'leaves requests quick to handle, however many came before: %i',
  async (before) => {
    const child = ['--input-type=module', '--eval', CHILD, String(before)];
    const { stdout } = await promisify(execFile)(process.execPath, child);
    const answers = Array(before + 10).fill(false);
    expect(JSON.parse(stdout)).toEqual({ answers, isTickAlike: true });
  },
);
