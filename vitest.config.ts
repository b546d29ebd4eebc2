import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node runs the tests and the server's TypeScript itself, as in production: no bundler between.
const native = { viteModuleRunner: false, nodeLoader: false };

/**
 * They take about half a minute or more each, the first ones the most: a fresh clone would run some
 * of them last, alone.
 */
const LONG = [
  ...['kill-loop.', 'polite-end.', 'configuration.', 'installation.', 'accessibility/'],
  ...['store-faults.', 'kill-upload.', 's3-sale.', 'errors/database-outages.', 'one-payment.'],
  ...['power-cuts.', 'html/', 'undelivered.', 'errors/upload-queue.', 'worker.', 'readiness.'],
  ...['journeys/upload-to-s3.', 'demo.', 'journeys/sell-a-file.', 'errors/silent-provider.'],
  ...['refunds.', 'disputes.', 'payout-requests.', 'many-processes.'],
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex((name) => moduleId.includes(`/tests/${name}`));
      return index < 0 ? LONG.length : index;
    };
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'architecture',
          include: ['tests/architecture/architecture.test.ts'],
          testTimeout: 60_000,
          experimental: native,
        },
      },
      {
        test: {
          name: 'product',
          include: ['{contract,server,sandbox,tests,web}/**/*.test.ts'],
          exclude: ['tests/architecture/architecture.test.ts'],
          globalSetup: ['tests/harness/global-setup.ts'],
          experimental: native,
          pool: 'forks',
          // Many small apps leave much garbage behind, which is cheap to clear only in a large space.
          execArgv: ['--max-semi-space-size=64'],
          // Files that share a process load the product once, and share a browser as well.
          isolate: false,
          // More than the cores: tests wait for nearly half of their time. What is measured by the clock,
          // such as the end of a server, still needs its share of a slow machine.
          maxWorkers: availableParallelism() + 2,
          // As patient as `eventually`: the second that is the default passes on a busy machine.
          expect: { poll: { timeout: 120_000 } },
          // Longer than what they wait for, so that it is said what did not come.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
