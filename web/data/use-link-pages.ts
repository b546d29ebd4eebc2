import { useState } from 'react';
import type { LinkPage } from './link-pages.ts';
import { isSignedOut, signInAddress } from './sign-in-again.ts';

export type ListState = 'idle' | 'loading' | 'failed';

interface FirstPage<Item> {
  page: LinkPage<Item>;
  failed: boolean;
}

/** A list that begins with the server's page and grows by the following ones. */
export function useLinkPages<Item>(
  first: FirstPage<Item>,
  load: (after: string | null) => Promise<LinkPage<Item>>,
) {
  const [{ items, nextToken }, setPage] = useState(first.page);
  const [state, setState] = useState<ListState>(first.failed ? 'failed' : 'idle');

  /** The next page; the first once more when not even that could be loaded. */
  async function loadMore() {
    setState('loading');
    try {
      const next = await load(nextToken);
      setPage({ items: [...items, ...next.items], nextToken: next.nextToken });
      setState('idle');
    } catch (error) {
      if (isSignedOut(error)) return location.assign(signInAddress());
      console.error(error);
      setState('failed');
    }
  }

  return { items, nextToken, state, loadMore };
}
