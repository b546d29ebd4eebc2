import { writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../server/api/graphql/schema.ts';

writeFileSync(
  new URL('../contract/schema.graphql', import.meta.url),
  `${printSchema(lexicographicSortSchema(schema))}\n`,
);
