import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SERVER = new URL('server.ts', import.meta.url).href;

/** Asks as often as argv says, collects garbage, asks ten times more, and prints which were in dictionary mode. */
const CHILD = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import pino from 'pino';
  import { createServer } from '${SERVER}';

  setFlagsFromString('--expose-gc');
  setFlagsFromString('--allow-natives-syntax');
  const isSlow = new Function('object', 'return !%HasFastProperties(object)');
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
  console.log(JSON.stringify(answers));
  process.exit();
`;

it.each([0, 1, 5, 6, 7])(
  'leaves requests quick to handle, however many came before: %i',
  async (before) => {
    const child = ['--input-type=module', '--eval', CHILD, String(before)];
    const { stdout } = await promisify(execFile)(process.execPath, child);
    expect(JSON.parse(stdout)).toEqual(Array(before + 10).fill(false));
  },
);
