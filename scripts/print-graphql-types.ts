import { readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const schemaFile = new URL('../contract/schema.graphql', import.meta.url);
const typesFile = new URL('../contract/graphql-env.d.ts', import.meta.url);

// gql.tada's own command needs the older compiler interface; these two of its functions do not.
const schema = buildSchema(await readFile(schemaFile, 'utf8'));
const introspection = minifyIntrospection(introspectionFromSchema(schema));
await writeFile(
  typesFile,
  outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }),
);
