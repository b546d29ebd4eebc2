import { readFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../server/api/graphql/schema.ts';

test('contract/schema.graphql is what the code says (npm run schema prints it)', () => {
  const printed = readFileSync(new URL('../contract/schema.graphql', import.meta.url), 'utf8');
  expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(printed);
});
