import { graphql } from './factories.ts';
import { createPerson, type Person } from './person.ts';

export type NewSecretKey = { id: string; name: string; hint: string; secret: string };

export async function createSecretKey(person: Person, name = 'Script'): Promise<NewSecretKey> {
  const { createSecretKey: key } = await graphql<{ createSecretKey: NewSecretKey }>(
    person,
    'mutation ($name: String!) { createSecretKey(name: $name) { id name hint secret } }',
    { name },
  );
  return key;
}

/** A program that holds a key and nothing else. */
export function programWith(app: { origin: string }, key: string): Person {
  const program = createPerson(app);
  return {
    ...program,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('x-api-key', key);
      return program.fetch(path, { ...init, headers });
    },
  };
}
