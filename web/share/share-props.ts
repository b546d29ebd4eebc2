import type { PageContext, PageHead } from '../page.ts';

/** What a page says to other sites is written from. */
export interface ShareProps<Data> {
  data: Data;
  head: PageHead;
  ctx: PageContext;
}
