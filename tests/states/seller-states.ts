import { graphql } from '../factories/factories.ts';
import type { State } from './state.ts';

export const SELLER_STATES: State[] = [
  { name: 'seller', visit: () => ({ path: '/s/ada-lovelace' }) },
  { name: 'seller-own', visit: ({ creator }) => ({ path: '/s/ada-lovelace', person: creator }) },
  {
    name: 'seller-empty',
    async visit({ newcomer }) {
      await graphql(newcomer, 'mutation { setSellerPage(handle: "grace", links: []) }');
      return { path: '/s/grace' };
    },
  },
];
