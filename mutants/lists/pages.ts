import type { Mutant } from '../mutant.ts';

const architecture = {
  tests: ['tests/architecture.test.ts'],
  titles: 'imports follow the arrows of the house',
};

export const mutants: Mutant[] = [
  {
    fault: 'the API asks the database driver',
    file: 'server/checkout/routes.ts',
    find: "import { TEXTS } from '../../contract/texts.ts';",
    replace: "import 'pg';\nimport { TEXTS } from '../../contract/texts.ts';",
    ...architecture,
  },
  {
    fault: 'the API asks the provider by itself',
    file: 'server/payments/webhook-routes.ts',
    find: "import type { FastifyPluginAsync } from 'fastify';",
    replace:
      "import type { FastifyPluginAsync } from 'fastify';\nimport type Stripe from 'stripe';",
    ...architecture,
  },
  {
    fault: 'a page reads the file system',
    file: 'web/landing/landing.page.tsx',
    find: "import { LinkKey } from '../ui/link-key.tsx';",
    replace: "import 'node:fs';\nimport { LinkKey } from '../ui/link-key.tsx';",
    ...architecture,
  },
  {
    fault: "the domain reaches the API through a test's support",
    file: 'server/files/start-upload.ts',
    find: "import { type AdmissionContext, admitUpload } from './admit-upload.ts';",
    replace:
      "import { type AdmissionContext, admitUpload } from './admit-upload.ts';\nexport type { FileStores } from './file-stores.test.support.ts';",
    ...architecture,
  },
  {
    fault: 'the domain knows GraphQL',
    file: 'server/links/cover.ts',
    find: "import { randomBytes } from 'node:crypto';",
    replace: "import { randomBytes } from 'node:crypto';\nimport { GraphQLError } from 'graphql';",
    ...architecture,
  },
  {
    fault: 'the contract uses a package',
    file: 'contract/money.ts',
    find: '/** Rates of the platform fee.',
    replace: "import 'zod';\n/** Rates of the platform fee.",
    ...architecture,
  },
  {
    fault: 'the sandbox knows the product',
    file: 'sandbox/start-sandbox.ts',
    find: "import { createApiServer } from './api/server.ts';",
    replace:
      "import '../server/config/config.ts';\nimport { createApiServer } from './api/server.ts';",
    ...architecture,
  },
  {
    fault: 'the product runs code of its tests',
    file: 'server/run.ts',
    find: "import closeWithGrace from 'close-with-grace';",
    replace: "import closeWithGrace from 'close-with-grace';\nimport '../tests/money.ts';",
    ...architecture,
  },
  {
    fault: 'the domain loads a module in a roundabout way',
    file: 'server/ledger/post-entry.ts',
    find: "import { addCounts } from '../statistics/counts.ts';",
    replace:
      "import { addCounts } from '../statistics/counts.ts';\nprocess.getBuiltinModule('node:http');",
    ...architecture,
  },
  {
    fault: 'a page has no limit of its weight',
    file: 'contract/pages.ts',
    find: "  'not-found': { scripts: 0, document: 8_600 },\n",
    replace: '',
    tests: ['tests/page-weights.test.ts'],
    titles: 'every page has a limit',
  },
  {
    fault: 'a document is sent without being compressed well',
    file: 'server/pages/render-page.ts',
    find: 'const QUALITY = { once: 4, kept: 9 };',
    replace: 'const QUALITY = { once: 1, kept: 1 };',
    tests: ['tests/page-weights.test.ts'],
  },
  {
    fault: 'a page comes in zstd to whoever cannot read it',
    file: 'server/pages/render-page.ts',
    find: "if (takes('zstd', accepted)) {",
    replace: "if (accepted?.includes('zstd')) {",
    tests: ['tests/pages.test.ts'],
    titles: 'rendered for one viewer',
  },
  {
    fault: 'the terms load the scripts of a page with behavior',
    file: 'web/legal/terms.page.tsx',
    find: "hydrate: 'never',",
    replace: "hydrate: 'now',",
    tests: ['tests/page-weights.test.ts'],
    titles: 'terms',
  },
  {
    fault: 'a test that is skipped for no reason passes',
    file: 'tests/harness/strict-reporter.ts',
    find: ".filter(({ reason = '' }) => !known.includes(reason))",
    replace: '.filter(({ reason }) => reason && !known.includes(reason))',
    tests: ['tests/strict-reporter.test.ts'],
  },
  {
    fault: 'CI lets go a test for which a program is missing',
    file: 'tests/harness/strict-reporter.ts',
    find: 'process.env.CI ? [] : Object.values(NEEDS)',
    replace: 'Object.values(NEEDS)',
    tests: ['tests/strict-reporter.test.ts'],
  },
  {
    fault: 'a skipped test is a proof',
    file: 'tests/harness/strict-reporter.ts',
    find: "state === 'passed' || (state === 'skipped' && !process.env.CI)",
    replace: "state === 'passed' || state === 'skipped'",
    tests: ['tests/strict-reporter.test.ts'],
  },
  {
    fault: 'a proof that is not there is one',
    file: 'tests/harness/strict-reporter.ts',
    find: 'ran.length > 0 && ran.every(isProof)',
    replace: 'ran.every(isProof)',
    tests: ['tests/strict-reporter.test.ts'],
  },
  {
    fault: 'faults of a run are said and let pass',
    file: 'tests/harness/strict-reporter.ts',
    find: 'if (faults.length > 0) process.exitCode = 1;',
    replace: '',
    tests: ['tests/strict-reporter.test.ts'],
  },
  {
    fault: 'a test asserts nothing',
    file: 'tests/prices.test.ts',
    find: "import { describe, expect, test } from 'vitest';",
    replace: "import { describe, expect, test } from 'vitest';\n\ntest('idle', () => {});",
    tests: ['tests/idle-tests.test.ts'],
  },
];
