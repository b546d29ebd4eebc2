import { type FragmentOf, graphql } from '../../lib/graphql.ts';

/** What a card shows of a link. */
export const exploreItem = /* @__PURE__ */ graphql(`
  fragment ExploreItem on PaywallLink {
    id type price least title seller sellerHandle paused free left size mediaType fileCount
    cover { url width height } sellerPicture { url }
  }
`);

export type ExploreItem = FragmentOf<typeof exploreItem>;
