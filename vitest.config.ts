import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node runs the tests and the server's TypeScript itself, as in production: no bundler between.
const native = { viteModuleRunner: false, nodeLoader: false };

/** They take about half a minute or more each: a fresh clone would run some of them last, alone. */
const LONG = [
  ...['accessibility/', 'configuration.', 'demo.', 'errors/database-outages.'],
  ...['errors/silent-provider.', 'errors/upload-queue.', 'html/', 'installation.'],
  ...['journeys/sell-a-file.', 'journeys/upload-to-s3.', 'kill-loop.', 'kill-upload.'],
  ...['one-payment.', 'polite-end.', 'power-cuts.', 'readiness.', 's3-sale.', 'store-faults.'],
  ...['undelivered.', 'user-pool/broken-pool.', 'worker.'],
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((name) => moduleId.includes(`/tests/${name}`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'architecture',
          include: ['tests/architecture.test.ts'],
          testTimeout: 60_000,
          experimental: native,
        },
      },
      {
        test: {
          name: 'product',
          include: ['{contract,server,sandbox,tests,web}/**/*.test.ts'],
          exclude: ['tests/architecture.test.ts'],
          globalSetup: ['tests/global-setup.ts'],
          experimental: native,
          pool: 'forks',
          // Files that share a process load the product once, and share a browser as well.
          isolate: false,
          // Three more than the cores: tests mostly wait.
          maxWorkers: availableParallelism() + 3,
          // As patient as `eventually`: the second that is the default passes on a busy machine.
          expect: { poll: { timeout: 60_000 } },
          // Longer than what they wait for, so that it is said what did not come.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
