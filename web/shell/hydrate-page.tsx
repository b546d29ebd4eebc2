import { hydrateRoot } from 'react-dom/client';
import type { SpokenTexts } from '../languages/speech.ts';
import type { Page, PageContext } from '../page.ts';

/** What the server wrote into the document besides its HTML. */
export interface PageDescription {
  /** URL of the page's own module. */
  module: string;
  hydrate: 'now' | 'late';
  /** Not English. */
  speech?: SpokenTexts;
  ctx: PageContext;
  data: unknown;
}

export interface PageModule {
  page: Page<unknown>;
}

export function hydratePage({ page }: PageModule, { ctx, data }: PageDescription) {
  const root = document.getElementById('content');
  if (root) hydrateRoot(root, <page.Component ctx={ctx} data={data} />);
}
