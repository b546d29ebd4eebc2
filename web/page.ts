import type { TadaDocumentNode } from 'gql.tada';
import type { ReactNode } from 'react';
import type { PageContext, PageName } from '../contract/page-context.ts';

export type { PageContext, PageName };

export interface PageHead {
  title: string;
  description?: string;
  robots?: string;
  canonical?: string;
  /** A feed of what the page lists. */
  feed?: { title: string; href: string };
  /** When a browser without JavaScript loads the page again, or goes on to another address. */
  refreshWithoutScript?: { seconds: number; to?: string };
}

export interface Page<Data, Variables = unknown> {
  /** Run by the server, in process, with the viewer's authority. */
  query?: TadaDocumentNode<Data, Variables>;
  variables?(ctx: PageContext): Variables;
  /** In place of the fields that fail (see ctx.failed); without it the error page is shown. */
  fallback?: Data;
  status?(data: Data, ctx: PageContext): number;
  /** The path of the page to show instead of this one, if any. */
  redirect?(data: Data, ctx: PageContext): string | undefined;
  head(data: Data, ctx: PageContext): PageHead;
  /** 'late': after the first paint, or at the first touch. 'never': a document without behavior. */
  hydrate: 'now' | 'late' | 'never';
  Component(props: PageProps<Data>): ReactNode;
}

export interface PageProps<Data> {
  data: Data;
  ctx: PageContext;
}

/** Infers a page's data from its query. */
export function definePage<Data, Variables>(page: Page<Data, Variables>): Page<Data, Variables> {
  return page;
}
