import type { DocumentNode } from 'graphql';
import type { Said } from './fact.ts';
import type { Spoken } from './languages.ts';
import type { Mails, PushTexts } from './mails.ts';
import type { PageContext } from './page-context.ts';
import type { PageName } from './pages.ts';

/** What the web app exports to the server that renders it. */
export interface WebBundle {
  pages: Record<PageName, WebPage>;
  mails: Mails;
  pushTexts: PushTexts;
  /** The document of a page. `data` is what the page was given, or its query's answer. */
  renderPage(name: PageName, context: PageContext, data: unknown, assets: Assets): RenderedDocument;
  /** What the server says, in a language. */
  tell(language: Spoken, said: Said): string;
  /** Every sentence that a page may say. */
  SENTENCES: string[];
  /** What the documents of a page have inline. */
  inlineScripts(name: PageName): string[];
  SERVICE_WORKER: string;
}

/** What a document is put together of: these texts in turn, beginning and ending with a fixed one. */
export interface RenderedDocument {
  /** The same for every visitor and every link: one more than the others. */
  fixed: string[];
  /** Of this document alone. */
  own: string[];
}

/** A page as the server sees it. */
export interface WebPage<Data = object | null, Variables = Record<string, unknown>> {
  /** The names in its address that it reads, of a page that is kept for guests: it sees no others. */
  reads?: readonly string[];
  /** Run by the server, in process, with the viewer's authority. */
  query?: DocumentNode;
  variables?(context: PageContext): Variables;
  /** In place of the fields that fail (see ctx.failed); without it the error page is shown. */
  fallback?: Data;
  status?(data: Data, context: PageContext): number;
  /** The path of the page to show instead of this one, if any. */
  redirect?(data: Data, context: PageContext): string | undefined;
  head(data: Data, context: PageContext): PageHead;
}

export interface PageHead {
  /** The site's name is added: after it, or on its first page before it. */
  title: string;
  isHome?: true;
  description?: string;
  robots?: string;
  canonical?: string;
  /** A feed of what the page lists. */
  feed?: { title: string; href: string };
  /** When a browser without JavaScript loads the page again, or goes on to another address. */
  refreshWithoutScript?: { seconds: number; to?: string };
}

/** What the build, or the development server, has ready for a page. */
export interface Assets {
  /** The styles that the page can use, inlined. */
  css: string;
  /** URLs of the client entry and of the page's own module. */
  script: string;
  module: string;
  /** The page's module and its imports. */
  preloads: string[];
  /** The sentences of the catalog that its scripts can say. */
  sentences: string[];
  /** And those of what serves signed-in visitors alone. */
  sentencesToAccounts: string[];
  /** Development only: stylesheet URLs. */
  styles?: string[];
}
