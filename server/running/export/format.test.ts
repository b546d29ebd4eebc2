import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDataFolder } from '../../../tests/harness/run-folder.ts';
import { LINES, readLines } from './format.ts';

const FILE = {
  kind: 'file',
  key: '',
  blob: 'a'.repeat(32),
  link_id: '00000001',
  size_bytes: 1,
  media_type: 'text/plain',
  created_at: 1,
  finished_at: 1,
  sha256: 'a'.repeat(64),
  crc32: null,
  checked_at: null,
  refused_because: null,
  facts: null,
};

async function read(line: object): Promise<unknown[]> {
  const folder = createDataFolder();
  writeFileSync(join(folder, LINES), `${JSON.stringify(line)}\n`);
  const lines = [];
  for await (const one of readLines(folder)) lines.push(one);
  return lines;
}

test.each(['mix.txt', 'track1/mix.txt', '.htaccess'])('a file may be called %s', async (name) => {
  expect(await read({ ...FILE, name })).toMatchObject([{ name }]);
});

test.each([
  '../mix.txt',
  'a/../mix.txt',
  '/mix.txt',
  'a\\mix.txt',
  'c:/mix.txt',
  'a//mix.txt',
  `${'a/'.repeat(17)}mix.txt`,
])('a file called %j is refused', async (name) => {
  await expect(read({ ...FILE, name })).rejects.toThrow();
});

test('a seller name of which nothing is seen, exported by an earlier version, is none', async () => {
  const account = {
    kind: 'account',
    id: 'ada',
    email: 'ada@example.com',
    first_name: 'Ada',
    created_at: 1,
    seller_name: '\u3164',
  };
  expect(await read(account)).toMatchObject([{ ...account, seller_name: null }]);
});
