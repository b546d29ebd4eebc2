// `npm run check`: everything that needs no running product. Every fault is listed, not the first.
import { spawn } from 'node:child_process';
import { findPinnedNode, root } from './setup/paths.mjs';

const node = findPinnedNode() ?? process.execPath;
const checks = [
  ['Format and lint', 'node_modules/@biomejs/biome/bin/biome', ['ci', '--colors=off', '.']],
  // Each checker of its own goes through Kysely's types again: four took three times the processor time.
  ['Types', 'node_modules/typescript/bin/tsc', ['-p', '.', '--checkers', '1']],
  ['Unused code', 'node_modules/knip/bin/knip.js', []],
  [
    'Architecture',
    'node_modules/vitest/vitest.mjs',
    ['run', '--project', 'architecture', '--reporter=dot'],
  ],
  ['Sizes of the pages', 'node_modules/size-limit/bin.js', ['--hide-passed']],
  ['Dependencies', 'scripts/check-dependencies.mjs', []],
];
/** What it says is worth reading also where it found no fault. */
const TOLD = 'Dependencies';

function run([title, script, args]) {
  return new Promise((resolve) => {
    const child = spawn(node, [script, ...args], { cwd: root, stdio: 'pipe' });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ title, output: error.message, isGood: false }));
    child.on('close', (code) => resolve({ title, output, isGood: code === 0 }));
  });
}

const results = await Promise.all(checks.map(run));
for (const { title, output, isGood } of results) {
  console.log(`${isGood ? '✓' : '✗'} ${title}`);
  if (!isGood || title === TOLD) console.log(output.trimEnd());
}
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1;
