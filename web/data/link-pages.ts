import { type FragmentOf, graphql } from './graphql.ts';

/** What a list shows its owner of a link, with what it sells. */
export const ownLink = graphql(`
  fragment OwnLink on PaywallLink {
    id
    type
    price
    title
    paused
    free
    createdAt
    key
    url
  }
`);

export type OwnLink = FragmentOf<typeof ownLink>;

export interface LinkPage<Item> {
  items: Item[];
  nextToken: string | null;
}
