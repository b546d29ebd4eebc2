import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createDataFolder } from '../harness/run-folder.ts';

const root = join(import.meta.dirname, '../..');
const folder = createDataFolder();

const TESTS = `import { describe, expect, test } from 'vitest';
const pass = () => expect(1).toBe(1);
test('passes', pass);
test.each(['red', 'blue'])('draws %s paint', pass);
test.skipIf(true)('is left out on a condition', pass);
test.runIf(false)('is run on no condition', pass);
test.todo('is still to be written');
test('needs a system', ({ skip }) => skip('needs Linux'));
test('gives another reason', ({ skip }) => skip('is slow'));
describe.skip('all of these', () => test('are left out', pass));
`;

const proof = (title: string) => `| words | As written. | \`a.ts\` | tests/a.test.ts › ${title} |`;

beforeAll(() => {
  for (const name of ['docs', 'tests']) mkdirSync(join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const used = ['harness/strict-reporter.ts', 'harness/needs.ts', 'conformance/read-table.ts'];
  for (const name of used) cpSync(join(root, 'tests', name), join(folder, 'tests', name));
  writeFileSync(join(folder, 'tests', 'a.test.ts'), TESTS);
  const proofs = [
    'passes',
    'draws %s paint',
    'is left out on a condition',
    'are left out',
    'is gone',
  ];
  writeFileSync(join(folder, 'docs', 'spec-conformance.md'), proofs.map(proof).join('\n'));
  writeFileSync(join(folder, 'docs', 'promises.md'), proof('needs a system'));
});

function run(env: Record<string, string>) {
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = join(folder, 'tests', 'harness', 'strict-reporter.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', `--reporter=${reporter}`],
    { cwd: folder, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
  );
  return { status, said: stdout.trim().split('\n').at(-1), faults: stderr.trim().split('\n') };
}

const UNNEEDED = [
  'skipped: tests/a.test.ts › is left out on a condition (no reason)',
  'skipped: tests/a.test.ts › is run on no condition (no reason)',
  'skipped: tests/a.test.ts › is still to be written (no reason)',
  'skipped: tests/a.test.ts › gives another reason (is slow)',
  'skipped: tests/a.test.ts › all of these > are left out (no reason)',
];
const GONE = 'no proof: docs/spec-conformance.md, line 5: tests/a.test.ts › is gone';

test('a run in CI fails for each test that was skipped, and for each proof that did not pass', () => {
  const { status, said, faults } = run({ CI: 'true' });
  expect(faults.sort()).toEqual(
    [
      ...UNNEEDED,
      'skipped: tests/a.test.ts › needs a system (needs Linux)',
      'no proof: docs/spec-conformance.md, line 3: tests/a.test.ts › is left out on a condition',
      'no proof: docs/spec-conformance.md, line 4: tests/a.test.ts › are left out',
      GONE,
      'no proof: docs/promises.md, line 1: tests/a.test.ts › needs a system',
    ].sort(),
  );
  expect(said).toBe('3 passed, 0 failed, 6 skipped');
  expect(status).toBe(1);
});

test('a run elsewhere lets go what the machine lacks, and nothing else', () => {
  const { status, said, faults } = run({});
  expect(faults.sort()).toEqual([...UNNEEDED, GONE].sort());
  expect(said).toBe('3 passed, 0 failed, 6 skipped');
  expect(status).toBe(1);
});
