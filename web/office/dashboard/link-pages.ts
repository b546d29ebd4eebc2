import { useState } from 'react';
import { appendPage } from '../../lib/append-page.ts';
import { type FragmentOf, graphql } from '../../lib/graphql.ts';
import { isSignedOut, leadToSignIn } from '../../lib/sign-in-again.ts';

/** What its owner's list shows of a link: also what it sells, and how well. */
export const ownLink = graphql(`
  fragment OwnLink on PaywallLink {
    id
    type
    price
    least
    copies
    left
    until
    title
    description
    paused
    pending
    hold: holdFact
    free
    noindex
    unlisted
    createdAt
    deletedAt
    short
    key
    url
    mediaType
    cover { url width height }
    preview
    previewFailed
    stamp
    stampFailed
    version
    statistics { views checkouts sales refunds }
  }
`);

export type OwnLink = FragmentOf<typeof ownLink>;

export interface LinkPage<Item> {
  items: Item[];
  nextToken: string | null;
}

/**
 * A list that begins with the server's page, null when it could not be loaded, and grows by the
 * following ones.
 */
export function useLinkPages<Item extends { id: string }>(
  first: LinkPage<Item> | null,
  load: (after: string | null) => Promise<LinkPage<Item> | null>,
) {
  const [{ items, nextToken }, change] = useState(first ?? { items: [], nextToken: null });
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>(first ? 'idle' : 'failed');

  /** The next page; the first once more when not even that could be loaded. */
  async function loadMore() {
    setState('loading');
    try {
      const next = await load(nextToken);
      if (!next) throw new Error('The list could not be loaded');
      change((shown) => ({ ...next, items: appendPage(shown.items, next.items) }));
      setState('idle');
    } catch (error) {
      if (isSignedOut(error)) return leadToSignIn();
      console.error(error);
      setState('failed');
    }
  }

  return { items, nextToken, state, loadMore, change };
}
