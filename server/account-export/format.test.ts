import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDataFolder } from '../../tests/harness/run-folder.ts';
import { LINES, readLines } from './format.ts';

test('a seller name of which nothing is seen, exported by an earlier version, is none', async () => {
  const folder = createDataFolder();
  const account = {
    ...{ kind: 'account', id: 'ada', email: 'ada@example.com', first_name: 'Ada' },
    ...{ created_at: 1, seller_name: '\u3164' },
  };
  writeFileSync(join(folder, LINES), `${JSON.stringify(account)}\n`);
  const lines = [];
  for await (const line of readLines(folder)) lines.push(line);
  expect(lines).toMatchObject([{ ...account, seller_name: null }]);
});
