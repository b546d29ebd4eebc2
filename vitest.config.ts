import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS } from './tests/harness/eventually.ts';

// Node runs the tests and the server's TypeScript itself, as in production: no bundler between.
const native = { viteModuleRunner: false, nodeLoader: false };

/** They take half a minute and more each: a fresh clone would run some of them last, alone. */
const LONGEST = [
  ...['accessibility/', 'kill/', 'properties/', 'outages', 'authorization/', 'polite-end.'],
  ...['preview.', 'take-downs.', 'payout-requests.', 'interrupted-migrations.', 'refunds.'],
  ...['installation.', 'moves/', 'backups/', 'processes/', 'screens/paywall.', 'disputes.'],
];

class LongestFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.includes(name));
      return index < 0 ? LONGEST.length : index;
    };
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

const product = {
  globalSetup: ['tests/harness/global-setup.ts'],
  experimental: native,
  pool: 'forks' as const,
  // Many small apps leave much garbage behind, which is cheap to clear only in a large space.
  execArgv: ['--max-semi-space-size=64'],
  // Files that share a process load the product once, and share a browser as well.
  isolate: false,
  // More than the cores: tests wait for more than half of their time.
  maxWorkers: availableParallelism() + 3,
  // As patient as `eventually`: the second that is the default passes on a busy machine.
  expect: { poll: { timeout: PATIENCE_MS } },
  // Longer than what they wait for, so that it is said what did not come.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFilesFirst },
    reporters: ['default', './tests/harness/ring-table.ts', './tests/harness/strict-reporter.ts'],
    tags: [{ name: 'long', description: 'In the long ring alone, like what is in *.long.test.ts' }],
    projects: [
      {
        test: {
          name: 'architecture',
          include: ['tests/architecture/architecture.test.ts'],
          // After the product's, whose number of workers it would have to have beside them.
          maxWorkers: 1,
          testTimeout: 60_000,
          experimental: native,
        },
      },
      {
        test: {
          ...product,
          name: 'product',
          include: ['{contract,server,sandbox,tests,web}/**/*.test.ts'],
          exclude: ['tests/architecture/architecture.test.ts', '**/*.long.test.ts'],
        },
      },
      {
        test: {
          ...product,
          name: 'long',
          include: ['{contract,server,sandbox,tests,web}/**/*.long.test.ts'],
          exclude: ['tests/soak/**'],
        },
      },
      {
        test: {
          // After all others, because it measures.
          name: 'alone',
          include: ['tests/soak/*.long.test.ts'],
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          experimental: native,
          testTimeout: 600_000,
        },
      },
    ],
  },
});
