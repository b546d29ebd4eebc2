import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('settle-shapes.ts', import.meta.url).href;

/** Asks as often as argv says, collects garbage, asks ten times more, and prints which were tables. */
const CHILD = `
  import { createServer } from 'node:http';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { settleShapes } from '${MODULE}';

  setFlagsFromString('--expose-gc');
  setFlagsFromString('--allow-natives-syntax');
  const isTable = new Function('object', 'return !%HasFastProperties(object)');
  const answers = [];
  const server = createServer((request, response) => {
    answers.push(isTable(request) || isTable(response));
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ask = () => fetch('http://127.0.0.1:' + server.address().port).then((answer) => answer.text());
  settleShapes();
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
