import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql, type VariablesOf } from './graphql.ts';
import { type OwnLink, ownLink } from './link-pages.ts';
import { requestGraphql } from './request-graphql.ts';

const updatePaywallLink = graphql(
  `mutation EditPaywallLink($input: UpdatePaywallLinkInput!) {
    updatePaywallLink(input: $input) { ...OwnLink }
  }`,
  [ownLink],
);

type Input = VariablesOf<typeof updatePaywallLink>['input'];

/** Changes a link. Returns it as it is then. Throws RequestError. */
export async function editLink(config: RuntimeConfig, input: Input): Promise<OwnLink> {
  const answer = await requestGraphql(config, updatePaywallLink, { input });
  if (!answer.updatePaywallLink) throw new Error('The server changed no link');
  return answer.updatePaywallLink;
}
