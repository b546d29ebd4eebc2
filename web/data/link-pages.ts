import { type FragmentOf, graphql } from './graphql.ts';

/** What the list of a link's owner shows of it: also what it sells, and how it does. */
export const ownLink = graphql(`
  fragment OwnLink on PaywallLink {
    id
    type
    price
    title
    description
    paused
    free
    noindex
    unlisted
    createdAt
    deletedAt
    key
    url
    statistics { views checkouts sales refunds }
  }
`);

export type OwnLink = FragmentOf<typeof ownLink>;

export interface LinkPage<Item> {
  items: Item[];
  nextToken: string | null;
}
