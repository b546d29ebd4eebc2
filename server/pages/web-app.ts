import type { PageContext, PageName } from '../../contract/page-context.ts';
import type { WebBundle } from '../../contract/web-bundle.ts';

/** The built React application, or the development server's live one. */
export interface WebApp extends Pick<WebBundle, 'pages' | 'mails'> {
  /** The whole document. */
  render(name: PageName, context: PageContext, data: unknown): Promise<Buffer>;
  /** The text of the service worker; null where there is none. */
  serviceWorker: string | null;
  /** CSP sources for the styles that each page inlines, and for the scripts that all do. */
  styleSources: Record<PageName, string[]>;
  scriptSources: string[];
  close(): Promise<void>;
}
