import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from './graphql.ts';
import { requestGraphql } from './request-graphql.ts';

const creation = graphql(`
  mutation CreateSecretKey($name: String!) {
    createSecretKey(name: $name) { id name hint createdAt secret }
  }
`);

const revocation = graphql(`
  mutation RevokeSecretKey($id: ID!) {
    revokeSecretKey(id: $id)
  }
`);

/** Makes a key. What it answers holds the secret, which is told this once. */
export async function createSecretKey(config: RuntimeConfig, name: string) {
  const { createSecretKey: key } = await requestGraphql(config, creation, { name });
  return key;
}

export async function revokeSecretKey(config: RuntimeConfig, id: string): Promise<void> {
  await requestGraphql(config, revocation, { id });
}
