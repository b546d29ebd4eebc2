import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { findForbiddenImports, findUnusedPermissions } from './find-forbidden-imports.ts';
import { findImportCycles } from './find-import-cycles.ts';
import { type Import, listImports } from './list-imports.ts';
import { isTestCode } from './rooms.ts';

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

test('no circle leads from one folder of the house to another and back', () => {
  const folderOf = (path: string) => path.split('/').slice(0, 2).join('/');
  const between = new Map<string, Import[]>();
  for (const [path, list] of imports) {
    if (isTestCode(path)) continue;
    const leaving = list
      .filter(({ target, isRelative }) => isRelative && folderOf(target) !== folderOf(path))
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
  ['server/links/create-link.ts', "import fastify from 'fastify';"],
  ['server/links/create-link.ts', "import pg from 'pg';"],
  ['server/links/create-link.ts', "import { readFile } from 'node:fs/promises';"],
  ['server/links/create-link.ts', "import { x } from '../adapters/disk.ts';"],
  ['server/ledger/post-entry.ts', "import { x } from '../links/queries.ts';"],
  ['server/ledger/post-entry.ts', "export { x } from '../links/queries.ts';"],
  ['server/ledger/post-entry.ts', "type X = import('../links/tables.ts').LinkRow;"],
  ['server/payments/fulfil.ts', "import { x } from '../mails/send.ts';"],
  ['server/payments/fulfil.ts', "await import('../payouts/pay.ts');"],
  ['server/adapters/storage/disk.ts', "import { x } from '../../http/errors.ts';"],
  ['server/checkout/routes.ts', "import { x } from '../adapters/stripe/client.ts';"],
  ['server/checkout/routes.ts', "import { x } from '../../sandbox/start.ts';"],
  ['server/main.mjs', "import { x } from '../sandbox/start.ts';"],
  ['contract/money.ts', "import { x } from '../server/config.ts';"],
  ['contract/money.ts', "import { z } from 'zod';"],
  ['web/landing/home.tsx', "import { x } from '../../server/config.ts';"],
  ['contract/money.ts', "import { createHash } from 'node:crypto';"],
  ['sandbox/start.ts', "import { x } from '../server/config.ts';"],
  ['sandbox/start.ts', "import pg from 'pg';"],
  ['server/checkout/routes.ts', "import pg from 'pg';"],
  ['server/checkout/routes.ts', "import Stripe from 'stripe';"],
  ['server/checkout/routes.ts', "import type { Stripe } from 'stripe';"],
  ['server/checkout/routes.ts', "export { Stripe } from 'stripe';"],
  ['server/checkout/routes.ts', "export * from 'pg';"],
  ['server/checkout/routes.ts', "type Pool = import('pg').Pool;"],
  ['server/checkout/routes.ts', "import { DatabaseSync } from 'node:sqlite';"],
  ['server/checkout/routes.ts', "import { pino } from 'pino';"],
  ['server/checkout/routes.ts', "import { fetch } from '../../node_modules/stripe/index.js';"],
  ['server/outbox/worker.ts', "import nodemailer from 'nodemailer';"],
  ['server/run.ts', "import pg from 'pg';"],
  ['server/mails/smtp.ts', "import pg from 'pg';"],
  ['server/mails/smtp.ts', "import { openPostgres } from '../database/postgres.ts';"],
  ['server/database/migrations/002-x.ts', "import { x } from '../dialect.ts';"],
  ['server/database/migrations/002-x.ts', "import type { X } from '../../x.ts';"],
  ['server/database/migrations/002-x.ts', "import { createHash } from 'node:crypto';"],
  ['web/landing/home.tsx', "import { readFileSync } from 'node:fs';"],
  ['web/landing/home.tsx', "import { readFileSync } from 'fs';"],
  ['web/landing/home.tsx', "import { renderToString } from 'react-dom/server';"],
  ['web/landing/home.tsx', "const pages = import.meta.glob('../../server/api/*.ts');"],
  ['server/links/create-link.ts', "import { graphql } from 'graphql';"],
  ['server/links/create-link.ts', "import type { FastifyRequest } from 'fastify';"],
  ['server/links/create-link.ts', "import { x } from './links.test.support.ts';"],
  ['server/links/create-link.ts', "import type { X } from './links.test.support.ts';"],
  ['server/links/create-link.ts', "export * from './links.test.support.ts';"],
  ['sandbox/start.ts', "import { x } from './testing/start-test-sandbox.ts';"],
  ['server/app.ts', "import { x } from '../sandbox/testing/start-test-sandbox.ts';"],
  ['server/app.ts', "import { startApp } from '../tests/harness/start-app.ts';"],
  ['server/checkout/routes.ts', "import { mutants } from '../../mutants/lists/prices.ts';"],
  ['server/links/create-link.ts', "import { x } from '../../bench/run.ts';"],
  ['web/landing/home.tsx', "await import('../../scripts/describe-schema.ts');"],
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
  ['server/links/create-link.ts', "import { sql } from 'kysely';"],
  ['server/links/create-link.ts', "import { x } from '../../contract/money.ts';"],
  ['server/payments/fulfil.ts', "import { x } from '../ledger/record-sale.ts';"],
  ['server/links/links.test.ts', "import { x } from '../../tests/harness/start-app.ts';"],
  ['server/links/links.test.ts', "import { x } from './links.test.support.ts';"],
  ['server/links/links.test.support.ts', "import { x } from '../adapters/disk.ts';"],
  ['server/outbox/worker.ts', "import type { Logger } from 'pino';"],
  ['server/accounts/auth/create-auth.ts', "import { x } from 'better-auth/api';"],
  ['server/main.mjs', "await import('./run.ts');"],
  ['server/app.ts', "import { x } from '../sandbox/start.ts';"],
  ['web/entry-server.tsx', "import { renderToString } from 'react-dom/server';"],
])('an allowed import in %s passes: %s', (path, source) => {
  expect(check(path, source)).toEqual([]);
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
