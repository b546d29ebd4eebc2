import { type FragmentOf, graphql } from './graphql.ts';

/** What a list shows of a link. */
export const linkItem = graphql(`
  fragment LinkItem on PaywallLink {
    id
    type
    price
    title
    paused
    createdAt
  }
`);

export type LinkItem = FragmentOf<typeof linkItem>;

export interface LinkPage<Item> {
  items: Item[];
  nextToken: string | null;
}
