import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { checkArchitecture } from './architecture/check-architecture.ts';

const folders = '{contract,server,sandbox,web}/**/*.{ts,tsx}';
const generated = '**/*.d.ts';

test('imports follow the arrows of the house, without circles', () => {
  const sources = new Map(
    globSync(folders, { exclude: [generated] }).map((path) => [
      path.split(sep).join('/'),
      readFileSync(path, 'utf8'),
    ]),
  );
  expect(sources.size).toBeGreaterThan(0);
  expect(checkArchitecture(sources)).toEqual([]);
});

function check(path: string, source: string): string[] {
  return checkArchitecture(new Map([[path, source]]));
}

test.each([
  ['server/domain/links/create-link.ts', "import fastify from 'fastify';"],
  ['server/domain/links/create-link.ts', "import pg from 'pg';"],
  ['server/domain/links/create-link.ts', "import { readFile } from 'node:fs/promises';"],
  ['server/domain/links/create-link.ts', "import { x } from '../../adapters/disk.ts';"],
  ['server/domain/ledger/post-entry.ts', "import { x } from '../links/queries.ts';"],
  ['server/domain/ledger/post-entry.ts', "export { x } from '../links/queries.ts';"],
  ['server/domain/ledger/post-entry.ts', "type X = import('../links/tables.ts').LinkRow;"],
  ['server/domain/purchases/fulfil.ts', "import { x } from '../notifications/send.ts';"],
  ['server/domain/purchases/fulfil.ts', "await import('../payouts/pay.ts');"],
  ['server/adapters/storage/disk.ts', "import { x } from '../../api/errors.ts';"],
  ['server/api/checkout.ts', "import { x } from '../adapters/stripe/client.ts';"],
  ['server/api/checkout.ts', "import { x } from '../../sandbox/start.ts';"],
  ['server/main.ts', "import { x } from '../sandbox/start.ts';"],
  ['contract/money.ts', "import { x } from '../server/config.ts';"],
  ['contract/money.ts', "import { z } from 'zod';"],
  ['web/pages/home.tsx', "import { x } from '../../server/config.ts';"],
  ['sandbox/start.ts', "import { x } from '../server/config.ts';"],
])('a forbidden import in %s is found: %s', (path, source) => {
  expect(check(path, source)).toHaveLength(1);
});

test.each([
  ['server/domain/links/create-link.ts', "import { sql } from 'kysely';"],
  ['server/domain/links/create-link.ts', "import { x } from '../../../contract/money.ts';"],
  ['server/domain/purchases/fulfil.ts', "import { x } from '../ledger/record-sale.ts';"],
  ['server/domain/links/links.test.ts', "import { x } from '../../../tests/start-app.ts';"],
  ['server/app.ts', "import { x } from '../sandbox/start.ts';"],
  ['tests/start-app.ts', "import { x } from '../server/app.ts';"],
])('an allowed import in %s passes: %s', (path, source) => {
  expect(check(path, source)).toEqual([]);
});

test('a circle of imports is found once', () => {
  const sources = new Map([
    ['web/a.ts', "import './b.ts';"],
    ['web/b.ts', "import './c.ts';"],
    ['web/c.ts', "import './a.ts';"],
  ]);
  expect(checkArchitecture(sources)).toEqual(['web/a.ts -> web/b.ts -> web/c.ts -> web/a.ts']);
});
