import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLane } from './lane.ts';
import { readLists } from './lists.ts';
import type { Mutant } from './mutant.ts';

/**
 * `npm run mutants`, or `npm run mutants -- refund` for those whose fault or file says so: plants one
 * fault after the other and says which live. Exits with 1 when one does, or when the tests that must
 * notice it are not there or fail without it.
 */
async function runMutants([part = '']: string[]): Promise<void> {
  const all = await readLists();
  const chosen = all.filter(({ fault, file }) => `${fault} ${file}`.includes(part));
  if (chosen.length === 0) throw new Error(`No planted fault or its file is called “${part}”.`);
  const folder = mkdtempSync(join(tmpdir(), 'padlink-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  // One more than the cores, because tests wait for much of their time.
  const lanes = Array.from({ length: availableParallelism() + 1 }, (_, number) => {
    const lane = join(folder, String(number));
    mkdirSync(lane);
    return openLane(lane);
  });

  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
  console.log(`${tests.length} test files without a fault…`);
  const results = (await lanes[0]?.results(tests)) ?? [];
  const broken = results.filter(({ status }) => ['failed', 'not set up'].includes(status));
  for (const { file, title } of broken) console.log(`✗ fails without a fault: ${file}: ${title}`);
  const unguarded = chosen.filter(
    ({ tests, titles }) =>
      !results.some(
        ({ file, title, status }) =>
          status === 'passed' && tests.includes(file) && new RegExp(titles ?? '').test(title),
      ),
  );
  for (const { fault, tests } of unguarded)
    console.log(`✗ no test: ${fault} (${tests.join(', ')})`);

  const waiting = chosen.filter((mutant) => !unguarded.includes(mutant));
  const living: Mutant[] = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const test = await lane.noticed(mutant);
        if (!test) living.push(mutant);
        console.log(test ? `✓ ${mutant.fault}\n    ${test}` : `✗ LIVES: ${mutant.fault}`);
      }
    }),
  );
  const caught = chosen.filter((mutant) => !unguarded.includes(mutant) && !living.includes(mutant));
  const first = caught.filter(({ ring }) => ring !== 'long').length;
  console.log(
    `${chosen.length} faults, ${caught.length} caught, ${first} of them by the first ring, ${living.length} live`,
  );
  for (const { fault, file } of living) console.log(`  ${file}: ${fault}`);
  if (broken.length + unguarded.length + living.length > 0) process.exitCode = 1;
}

await runMutants(process.argv.slice(2));
