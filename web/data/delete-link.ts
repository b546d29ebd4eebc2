import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from './graphql.ts';
import { RequestError } from './request-error.ts';
import { requestGraphql } from './request-graphql.ts';

const deletePaywallLink = graphql(`
  mutation DeletePaywallLink($id: ID!) {
    deletePaywallLink(input: { id: $id }) { id }
  }
`);

/** Deletes a link for good; one that is gone already is fine. Throws RequestError. */
export async function deleteLink(config: RuntimeConfig, id: string): Promise<void> {
  try {
    await requestGraphql(config, deletePaywallLink, { id });
  } catch (error) {
    if (error instanceof RequestError && error.code === 'LINK_NOT_FOUND') return;
    throw error;
  }
}
