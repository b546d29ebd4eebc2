import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { plant } from './lists.ts';
import type { Mutant } from './mutant.ts';

const run = promisify(execFile);

/** With a fault: it is noticed as often by what never comes as by what comes wrong. */
const IMPATIENT = {
  env: { ...process.env, PADLINK_TEST_PATIENCE_MS: '30000' },
  timeout: 600_000,
};

/** A copy of the working tree to plant faults in. */
export interface Lane {
  /**
   * Runs the tests that must notice the fault, with it, until one has.
   * @returns its full name, or undefined where none has
   */
  noticed(mutant: Mutant): Promise<string | undefined>;
  /** Runs tests of both rings without any fault. */
  results(tests: string[]): Promise<TestResult[]>;
}

interface TestResult {
  /** The test's file. */
  file: string;
  title: string;
  status: string;
}

/** @param folder an empty one, which holds the copy from then on. */
export function openLane(folder: string): Lane {
  const root = process.cwd();
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { encoding: 'utf8' }).split('\0');
  for (const file of files.filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  async function build(file: string) {
    if (/^(web|contract)\//.test(file)) await start(['scripts/setup.mjs']);
  }
  /** Never throws for a test that fails: what came of each stands in the report. */
  function start(args: string[], how: Partial<typeof IMPATIENT> = {}) {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, ...how };
    return run(process.execPath, args, options).catch((error: unknown) => error);
  }
  async function runTests(args: string[], how?: Partial<typeof IMPATIENT>): Promise<TestResult[]> {
    const report = join(folder, 'mutants-report.json');
    rmSync(report, { force: true });
    const reporter = ['--reporter=json', `--outputFile=${report}`];
    await start(['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporter], how);
    if (!existsSync(report)) return [{ file: '', title: 'the run never ends', status: 'failed' }];
    const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
    return testResults.flatMap(({ name, status: ofFile, assertionResults }) => {
      const file = name.slice(folder.length + 1);
      const results = assertionResults.map(({ ancestorTitles, title, status }) => ({
        // As the runner joins them where it looks for `titles`.
        ...{ file, title: [...ancestorTitles, title].join(' > '), status },
      }));
      // Tests whose set-up fails or takes too long are told as skipped.
      const isSetUp = ofFile !== 'failed' || results.some(({ status }) => status === 'failed');
      return isSetUp ? results : [...results, { file, title: 'the set-up', status: 'not set up' }];
    });
  }

  return {
    results: (tests) => runTests(tests),
    async noticed(mutant) {
      const { file, tests, titles, ring } = mutant;
      const place = join(folder, file);
      const source = readFileSync(place, 'utf8');
      writeFileSync(place, plant(mutant, source));
      try {
        await build(file);
        const part = titles ? ['-t', titles] : [];
        const first = ring === 'long' ? [] : ['--tags-filter', '!long'];
        const args = [...tests, '--bail=1', '--maxWorkers=1', ...part, ...first];
        const results = await runTests(args, IMPATIENT);
        return results.find(({ status }) => status === 'failed')?.title;
      } finally {
        writeFileSync(place, source);
        await build(file);
      }
    },
  };
}

interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}
