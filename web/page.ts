import type { TadaDocumentNode } from 'gql.tada';
import type { ReactNode } from 'react';
import type { PageContext } from '../contract/page-context.ts';
import type { PageName } from '../contract/pages.ts';
import type { PageHead, WebPage } from '../contract/web-bundle.ts';

export type { PageContext, PageHead, PageName };

export interface Page<Data, Variables = unknown> extends WebPage<Data, Variables> {
  query?: TadaDocumentNode<Data, Variables>;
  /** 'late': after the first paint, or at the first touch. 'never': a document without behavior. */
  hydrate: 'now' | 'late' | 'never';
  Component: (props: PageProps<Data>) => ReactNode;
}

export interface PageProps<Data> {
  data: Data;
  ctx: PageContext;
}

/** Infers a page's data from its query. */
export function definePage<Data, Variables>(page: Page<Data, Variables>): Page<Data, Variables> {
  return page;
}
