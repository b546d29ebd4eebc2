import type { RuntimeConfig } from './runtime-config.ts';

export const PAGE_NAMES = [
  'landing',
  'login',
  'dashboard',
  'upload',
  'account',
  'paywall',
  'explore',
  'success',
  'failed',
  'terms',
  'privacy',
  'access',
  'mailbox',
  'offline',
  'not-found',
  'error',
] as const;

export type PageName = (typeof PAGE_NAMES)[number];

/** What a page knows of the request. All of it reaches the browser. */
export interface PageContext {
  config: RuntimeConfig;
  viewer: { id: string; firstName: string } | null;
  /** '/p/1a2b3c4d' */
  path: string;
  /** { id: '1a2b3c4d' } */
  params: Record<string, string>;
  /** Search parameters. */
  query: Record<string, string>;
  /** The owner looks at the page as a buyer sees it. */
  preview?: true;
  /** A checkout of the link is open to the viewer, and the provider says that nothing is paid. */
  openCheckout?: true;
  /** A refused form post's message, shown where the page shows errors. */
  error?: string;
  /** What is known of its cause, in small print below it. */
  errorHint?: string;
  /** Of the error page: the number by which the log names the request. */
  requestId?: string;
  /** Fields of the page's query that could not be loaded, with the status that tells why. */
  failed?: Record<string, number>;
}
