import type { Scope } from '../../contract/secret-key-scopes.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { graphql } from './factories.ts';

export type NewSecretKey = { id: string; name: string; hint: string; secret: string };

/** The operator's, for the setting SERVICE_KEY. */
export const SERVICE_KEY = 'service-key-of-the-operator-'.padEnd(40, '0');

export async function createSecretKey(
  person: Person,
  name = 'Script',
  scopes?: Scope[],
): Promise<NewSecretKey> {
  const { createSecretKey: key } = await graphql<{ createSecretKey: NewSecretKey }>(
    person,
    `mutation ($name: String!, $scopes: [String!]) {
      createSecretKey(name: $name, scopes: $scopes) { id name hint secret }
    }`,
    { name, scopes },
  );
  return key;
}

/** A program that holds a key, and whatever cookies the person has; by default nothing else. */
export function programWith(
  app: { origin: string },
  key: string,
  person: Person = createPerson(app),
): Person {
  return {
    ...person,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('x-api-key', key);
      return person.fetch(path, { ...init, headers });
    },
  };
}
