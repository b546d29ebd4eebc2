import { type FragmentOf, graphql } from './graphql.ts';

/** What a list shows of a link. */
export const linkItem = graphql(`
  fragment LinkItem on PaywallLink {
    id
    type
    price
    title
    paused
    free
    createdAt
  }
`);

/** The same for its owner, who sees what it sells. */
export const ownLink = graphql('fragment OwnLink on PaywallLink { ...LinkItem key url }', [
  linkItem,
]);

export type LinkItem = FragmentOf<typeof linkItem>;
export type OwnLink = FragmentOf<typeof ownLink>;

export interface LinkPage<Item> {
  items: Item[];
  nextToken: string | null;
}
