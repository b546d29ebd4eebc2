import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { introspectionFromSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../server/api/schema.ts';

const sorted = lexicographicSortSchema(schema);

/** What is printed from the code, by its file in contract/. */
export const DESCRIPTIONS: Record<string, string> = {
  'schema.graphql': `${printSchema(sorted)}\n`,
  // gql.tada's own command needs the older compiler interface; these two of its functions do not.
  'graphql-env.d.ts': outputIntrospectionFile(
    minifyIntrospection(introspectionFromSchema(sorted)),
    { fileType: '.d.ts', shouldPreprocess: true },
  ),
};
