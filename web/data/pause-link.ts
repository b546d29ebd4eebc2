import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from './graphql.ts';
import { ownLink } from './link-pages.ts';
import { requestGraphql } from './request-graphql.ts';

const pausePaywallLink = graphql(
  `mutation PausePaywallLink($id: ID!, $paused: Boolean!) {
    updatePaywallLink(input: { id: $id, paused: $paused }) { ...OwnLink }
  }`,
  [ownLink],
);

/** Pauses a link, or lets it be bought again. Returns it as it is then. Throws RequestError. */
export async function pauseLink(config: RuntimeConfig, id: string, paused: boolean) {
  const { updatePaywallLink: link } = await requestGraphql(config, pausePaywallLink, {
    id,
    paused,
  });
  if (!link) throw new Error('The server changed no link');
  return link;
}
