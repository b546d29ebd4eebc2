import { globSync, readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { findArrowsBack, isNamed } from './find-arrows-back.ts';
import { findForbiddenImports, findUnusedPermissions } from './find-forbidden-imports.ts';
import { findImportCycles } from './find-import-cycles.ts';
import { type Import, listImports } from './list-imports.ts';
import { ARROWS_BACK, FLOORS, isTestCode } from './rooms.ts';

// Everything that Node.js or the build of the web app can run, except what is no part of the product.
const sourceFiles = '**/*.{js,jsx,cjs,mjs,ts,tsx,cts,mts}';
const outside = [
  ...['*.ts', '{node_modules,dist,tests,bench,mutants,soak,scripts}/**', '**/*.d.ts'],
  'client/dist/**',
];

function readImports(): Map<string, Import[]> {
  const paths = globSync(sourceFiles, { exclude: outside }).map((path) =>
    path.split(sep).join('/'),
  );
  return new Map(paths.map((path) => [path, listImports(path, readFileSync(path, 'utf8'))]));
}

const imports = readImports();

test('imports follow the arrows of the house, without circles', () => {
  expect(imports.size).toBeGreaterThan(300);
  expect(findForbiddenImports(imports)).toEqual([]);
  expect(findImportCycles(imports)).toEqual([]);
});

test('no import points up from one floor of the server to another, but for three at the most', () => {
  expect(ARROWS_BACK.length).toBeLessThanOrEqual(3);
  expect(findArrowsBack(imports)).toEqual([]);
});

test('so little stands at the doors of server and web that it is taken in at a glance', () => {
  expect(readdirSync('server').length).toBeLessThanOrEqual(18);
  expect(readdirSync('web').length).toBeLessThanOrEqual(20);
});

test('a feature has the same name in the web app as in the server', () => {
  const featuresOf = (side: string) =>
    FLOORS.flatMap((floor) =>
      globSync(`${side}/${floor}/*/`).map((path) => path.split(sep).slice(1).join('/')),
    );
  const known = featuresOf('server');
  const features = featuresOf('web');
  expect(features.length).toBeGreaterThan(10);
  expect(features.filter((feature) => !known.includes(feature))).toEqual([]);
});

/** `server/selling` and such are two names long, `server/selling/checkout` three. */
test.each([2, 3])('no circle leads from one folder of %i names to another and back', (names) => {
  const folderOf = (path: string) => path.split('/').slice(0, names).join('/');
  const between = new Map<string, Import[]>();
  for (const [path, list] of imports) {
    if (isTestCode(path)) continue;
    const leaving = list
      .filter(({ target, isRelative }) => isRelative && folderOf(target) !== folderOf(path))
      .filter(({ target }) => !isNamed(path, target))
      .map((item) => ({ ...item, target: folderOf(item.target) }));
    between.set(folderOf(path), [...(between.get(folderOf(path)) ?? []), ...leaving]);
  }
  expect(findImportCycles(between)).toEqual([]);
});

/** Migrations are frozen, whatever they hold. */
const isHeldShort = (path: string) => !isTestCode(path) && !path.includes('/migrations/');
const MOST_LINES = 450;

test('no file is so long that nobody reads it from top to bottom', () => {
  const paths = [...imports.keys()].filter(isHeldShort);
  const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;
  expect(paths.filter((path) => linesOf(path) > MOST_LINES)).toEqual([]);
});

test('no room may use what nobody in it uses', () => {
  expect(findUnusedPermissions(imports)).toEqual([]);
});

function check(path: string, source: string): string[] {
  return findForbiddenImports(new Map([[path, listImports(path, source)]]));
}

test.each([
  ['server/catalog/links/create-link.ts', "import fastify from 'fastify';"],
  ['server/catalog/links/create-link.ts', "import pg from 'pg';"],
  ['server/catalog/links/create-link.ts', "import { readFile } from 'node:fs/promises';"],
  [
    'server/catalog/links/create-link.ts',
    "import { x } from '../../adapters/storage/disk-store.ts';",
  ],
  ['server/books/ledger/post-entry.ts', "import { x } from '../../catalog/links/queries.ts';"],
  ['server/books/ledger/post-entry.ts', "export { x } from '../../catalog/links/queries.ts';"],
  [
    'server/books/ledger/post-entry.ts',
    "type X = import('../../catalog/links/tables.ts').LinkRow;",
  ],
  ['server/money/payments/reconcile.ts', "import { x } from '../../notices/mails/receipts.ts';"],
  ['server/money/payments/reconcile.ts', "await import('../payouts/request-payout.ts');"],
  ['server/adapters/storage/disk-store.ts', "import { x } from '../../edge/http/errors.ts';"],
  [
    'server/selling/checkout/routes.ts',
    "import { x } from '../../adapters/stripe/open-stripe.ts';",
  ],
  ['server/selling/checkout/routes.ts', "import { x } from '../../../sandbox/start-sandbox.ts';"],
  ['server/main.mjs', "import { x } from '../sandbox/start.ts';"],
  ['contract/money.ts', "import { x } from '../server/config.ts';"],
  ['contract/money.ts', "import { z } from 'zod';"],
  ['web/shell/landing.page.tsx', "import { x } from '../../server/config.ts';"],
  ['contract/money.ts', "import { createHash } from 'node:crypto';"],
  ['sandbox/start.ts', "import { x } from '../server/config.ts';"],
  ['sandbox/start.ts', "import pg from 'pg';"],
  ['server/selling/checkout/routes.ts', "import pg from 'pg';"],
  ['server/selling/checkout/routes.ts', "import Stripe from 'stripe';"],
  ['server/selling/checkout/routes.ts', "import type { Stripe } from 'stripe';"],
  ['server/selling/checkout/routes.ts', "export { Stripe } from 'stripe';"],
  ['server/selling/checkout/routes.ts', "export * from 'pg';"],
  ['server/selling/checkout/routes.ts', "type Pool = import('pg').Pool;"],
  ['server/selling/checkout/routes.ts', "import { DatabaseSync } from 'node:sqlite';"],
  ['server/selling/checkout/routes.ts', "import { pino } from 'pino';"],
  [
    'server/selling/checkout/routes.ts',
    "import { fetch } from '../../../node_modules/stripe/index.js';",
  ],
  ['server/ground/outbox/worker.ts', "import nodemailer from 'nodemailer';"],
  ['server/run.ts', "import pg from 'pg';"],
  ['server/notices/mails/smtp.ts', "import pg from 'pg';"],
  [
    'server/notices/mails/smtp.ts',
    "import { openPostgres } from '../../ground/database/postgres.ts';",
  ],
  ['server/ground/database/migrations/002-x.ts', "import { x } from '../dialect.ts';"],
  ['server/ground/database/migrations/002-x.ts', "import type { X } from '../../lib/time.ts';"],
  ['server/ground/database/migrations/002-x.ts', "import { createHash } from 'node:crypto';"],
  ['web/shell/landing.page.tsx', "import { readFileSync } from 'node:fs';"],
  ['web/shell/landing.page.tsx', "import { readFileSync } from 'fs';"],
  ['web/shell/landing.page.tsx', "import { renderToString } from 'react-dom/server';"],
  [
    'web/shell/landing.page.tsx',
    "const pages = import.meta.glob('../../server/edge/graphql/*.ts');",
  ],
  ['server/catalog/links/create-link.ts', "import { graphql } from 'graphql';"],
  ['server/catalog/links/create-link.ts', "import type { FastifyRequest } from 'fastify';"],
  ['server/catalog/links/create-link.ts', "import { x } from './links.test.support.ts';"],
  ['server/catalog/links/create-link.ts', "import type { X } from './links.test.support.ts';"],
  ['server/catalog/links/create-link.ts', "export * from './links.test.support.ts';"],
  ['sandbox/start.ts', "import { x } from './testing/start-test-sandbox.ts';"],
  ['server/app.ts', "import { x } from '../sandbox/testing/start-test-sandbox.ts';"],
  ['server/app.ts', "import { startApp } from '../tests/harness/start-app.ts';"],
  [
    'server/selling/checkout/routes.ts',
    "import { mutants } from '../../../mutants/lists/prices.ts';",
  ],
  ['server/catalog/links/create-link.ts', "import { x } from '../../../bench/run.ts';"],
  ['web/shell/landing.page.tsx', "await import('../../scripts/describe-schema.ts');"],
  ['contract/money.ts', "import { startApp } from '../tests/harness/start-app.ts';"],
])('a forbidden import in %s is found: %s', (path, source) => {
  expect(check(path, source)).toHaveLength(1);
});

test.each([
  "import pg = require('pg');",
  "const pg = require('pg');",
  "const pg = module.require('pg');",
  'const pg = await import(`pg`);',
  "const name = 'pg'; await import(name);",
  "import { createRequire } from 'node:module'; createRequire(import.meta.url)('pg');",
  "const module = await import('node:module'); module.createRequire(import.meta.url)('pg');",
  "const fs = process.getBuiltinModule('fs');",
])('what is loaded in a way of its own is found: %s', (source) => {
  expect(check('server/run.ts', source)).not.toEqual([]);
});

test('no file is outside the rooms', () => {
  expect(check('lib/payment.ts', '')).toEqual(['lib/payment.ts belongs to no room']);
});

test.each([
  ['server/catalog/links/create-link.ts', "import { sql } from 'kysely';"],
  ['server/catalog/links/create-link.ts', "import { x } from '../../../contract/money.ts';"],
  [
    'server/selling/purchases/fulfil-purchase.ts',
    "import { x } from '../../books/ledger/record-sale.ts';",
  ],
  [
    'server/catalog/links/links.test.ts',
    "import { x } from '../../../tests/harness/start-app.ts';",
  ],
  ['server/catalog/links/links.test.ts', "import { x } from './links.test.support.ts';"],
  [
    'server/catalog/links/links.test.support.ts',
    "import { x } from '../../adapters/storage/disk-store.ts';",
  ],
  ['server/ground/outbox/worker.ts', "import type { Logger } from 'pino';"],
  ['server/people/accounts/auth/create-auth.ts', "import { x } from 'better-auth/api';"],
  ['server/main.mjs', "await import('./run.ts');"],
  ['server/app.ts', "import { x } from '../sandbox/start.ts';"],
  ['web/entry-server.tsx', "import { renderToString } from 'react-dom/server';"],
])('an allowed import in %s passes: %s', (path, source) => {
  expect(check(path, source)).toEqual([]);
});

test('an import that points up is found', () => {
  const path = 'server/catalog/links/create-link.ts';
  const up = "import { x } from '../../money/payments/reconcile.ts';";
  const down = "import { x } from '../../files/queries.ts';";
  const found = findArrowsBack(new Map([[path, listImports(path, up + down)]]));
  expect(found[0]).toBe(`${path} points up to server/money/payments/reconcile.ts`);
  expect(found.filter((line) => line.startsWith(path))).toHaveLength(1);
});

test('a circle of imports is found once', () => {
  const imports = new Map(
    ['abc', 'bca', 'cab'].map(([from, to]) => [
      `web/${from}.ts`,
      listImports(`web/${from}.ts`, `import './${to}.ts';`),
    ]),
  );
  expect(findImportCycles(imports)).toEqual(['web/a.ts -> web/b.ts -> web/c.ts -> web/a.ts']);
});
