import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { DESCRIPTIONS } from '../../scripts/describe-schema.ts';

test.each(Object.entries(DESCRIPTIONS))(
  'contract/%s is what the code says (npm run schema)',
  (name, text) => {
    const printed = readFileSync(new URL(`../../contract/${name}`, import.meta.url), 'utf8');
    expect(printed).toBe(text);
  },
);

describe('the schema', () => {
  const schema = buildSchema(
    readFileSync(join(import.meta.dirname, '../..', 'contract', 'schema.graphql'), 'utf8'),
  );
  const fieldsOf = (name: string) => (schema.getType(name) as GraphQLObjectType).getFields();
  const typesOf = (name: string, fields: string[]) =>
    Object.fromEntries(fields.map((field) => [field, String(fieldsOf(name)[field]?.type)]));

  test('requires a link’s id, type and owner, and leaves key and url open', () => {
    expect(typesOf('PaywallLink', ['id', 'type', 'key', 'url', 'owner'])).toEqual({
      id: 'ID!',
      type: 'String!',
      key: 'String',
      url: 'URL',
      owner: 'String!',
    });
  });

  test('has no enumerations, and no type of its own in a field that is specified', () => {
    const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    expect(own.filter(isEnumType)).toEqual([]);
    expect(typesOf('PaywallLink', ['unlocked', 'price', 'createdAt', 'updatedAt'])).toEqual({
      unlocked: 'Boolean!',
      price: 'Int!',
      createdAt: 'DateTime!',
      updatedAt: 'DateTime!',
    });
    expect(typesOf('UserBalance', ['id', 'owner', 'balance', 'createdAt', 'updatedAt'])).toEqual({
      id: 'ID!',
      owner: 'String!',
      balance: 'Float!',
      createdAt: 'String!',
      updatedAt: 'String!',
    });
    const made = ['PaywallLink', 'UserBalance'].flatMap((name) =>
      Object.entries(fieldsOf(name))
        .filter(([, { type }]) => !isScalarType(getNamedType(type)))
        .map(([field]) => field),
    );
    expect(made).toEqual([
      'checkout',
      'choices',
      'contents',
      'cover',
      'discount',
      'files',
      'licenseKeys',
      'newer',
      'parts',
      'previewFile',
      'sellerPicture',
      'statistics',
      'versions',
    ]);
  });

  test('lets no input set the times of a link', () => {
    for (const name of ['CreatePaywallLinkInput', 'UpdatePaywallLinkInput']) {
      const fields = Object.keys((schema.getType(name) as GraphQLObjectType).getFields());
      expect(fields).not.toContain('createdAt');
      expect(fields).not.toContain('updatedAt');
    }
  });
});
