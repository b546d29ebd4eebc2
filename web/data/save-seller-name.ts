import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from './graphql.ts';
import { requestGraphql } from './request-graphql.ts';

const change = graphql(`
  mutation SetSellerName($name: String) {
    setSellerName(name: $name)
  }
`);

/** @returns the name as it is kept; null when there is none. Throws RequestError. */
export async function saveSellerName(config: RuntimeConfig, name: string): Promise<string | null> {
  return (await requestGraphql(config, change, { name })).setSellerName;
}
