import { useState } from 'react';
import type { LinkPage } from './link-pages.ts';

export type ListState = 'idle' | 'loading' | 'failed';

interface FirstPage {
  page: LinkPage;
  failed: boolean;
}

/** A list that begins with the server's page and grows by the following ones. */
export function useLinkPages(first: FirstPage, load: (after: string | null) => Promise<LinkPage>) {
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
      console.error(error);
      setState('failed');
    }
  }

  return { items, nextToken, state, loadMore };
}
