import type { DocumentNode } from 'graphql';
import type {
  CodeInput,
  NoticeInput,
  PaymentFailedInput,
  ReceiptInput,
  RemainingKeys,
} from '../../contract/mail-input.ts';
import type { PageContext, PageName } from '../../contract/page-context.ts';
import type { Mail } from '../lib/mail.ts';

/** A page as the server sees it. */
export interface WebPage {
  query?: DocumentNode;
  variables?(context: PageContext): Record<string, unknown>;
  /** In place of the fields of the query that fail; without it the error page is shown. */
  fallback?: Record<string, unknown>;
  status?(data: unknown, context: PageContext): number;
  redirect?(data: unknown, context: PageContext): string | undefined;
  head(data: unknown, context: PageContext): { robots?: string };
}

/** Emails that a person receives. */
export interface Mails {
  accountExists(input: NoticeInput): Mail;
  passwordChanged(input: NoticeInput & { byCode: boolean; remaining: RemainingKeys }): Mail;
  emailChanged(input: NoticeInput & { newEmail: string }): Mail;
  accountDeleted(input: NoticeInput): Mail;
  twoFactorOff(input: NoticeInput): Mail;
  passkeyAdded(input: NoticeInput): Mail;
  secretKeyCreated(input: NoticeInput & { keyName: string }): Mail;
  verification(input: CodeInput): Mail;
  passwordReset(input: CodeInput & { firstName: string | null }): Mail;
  emailChange(input: CodeInput): Mail;
  receipt(input: ReceiptInput): Mail;
  paymentFailed(input: PaymentFailedInput): Mail;
}

/** The built React application, or the development server's live one. */
export interface WebApp {
  pages: Record<PageName, WebPage>;
  mails: Mails;
  /** The whole document. */
  render(name: PageName, context: PageContext, data: unknown): Promise<Buffer>;
  /** The text of the service worker; null where there is none. */
  serviceWorker: string | null;
  /** CSP sources for the styles that each page inlines, and for the scripts that all do. */
  styleSources: Record<PageName, string[]>;
  scriptSources: string[];
  close(): Promise<void>;
}
