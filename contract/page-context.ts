import type { AccountPageData } from './account-details.ts';
import type { LinkFace } from './drawn-cover.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Said } from './fact.ts';
import type { Spoken } from './languages.ts';
import type { RuntimeConfig } from './runtime-config.ts';
import type { SignInStep } from './sign-in.ts';
import type { ReceiptKey } from './signed-receipt.ts';
import type { TableForm } from './tables.ts';

/** What a page knows of the request. All of it reaches the browser. */
export interface PageContext {
  config: RuntimeConfig;
  /** `sells`: whether the account may sell on this site; `operates`: whether it is an operator's. */
  viewer: { id: string; firstName: string; sells: boolean; operates: boolean } | null;
  /** A guest whose browser has bought something, or was about to. */
  buyer?: true;
  /** Not English. */
  language?: Spoken;
  /** Links in the cart of this browser; absent where it is empty. */
  cart?: number;
  /** '/p/1a2b3c4d' */
  path: string;
  /** { id: '1a2b3c4d' } */
  params: Record<string, string>;
  /** Search parameters. */
  query: Record<string, string>;
  /** Where the visitor of a paywall page came from, as `contract/sources.ts` writes it; not `direct`. */
  from?: string;
  /** What was typed of a gift in the form that was refused. */
  gift?: { email: string; message: string };
  /** The owner looks at the page as a buyer sees it. */
  preview?: true;
  /** The viewer has an open checkout of the link, and the provider says that it is not paid. */
  openCheckout?: true;
  /** That a table was last exported in. */
  tableForm?: TableForm;
  /** A refused form post's message, shown where the page shows errors. */
  error?: string;
  /**
   * The address for which the form asked that was posted, as it was typed; on the login page, the
   * one that is invited to sign up, empty for any.
   */
  askedFor?: string;
  /** What is known about its cause, in small print below it. */
  errorHint?: string;
  /** On the error page: the request id that the log contains. */
  requestId?: string;
  /** Fields of the page's query that could not be loaded, with the status that tells why. */
  failed?: Record<string, number>;
}

/** What the pages without a query show: passed by the server, taken by the page's component. */
export interface PageData {
  account: AccountPageData;
  /** Where a form that was posted has led; what is not said is as the address has it. */
  login: Partial<SignInStep>;
  upload: UploadPageData;
  mailbox: { messages: MailboxMessage[] };
  error: Refusal;
  access: AccessStep;
  verify: { keys: ReceiptKey[] };
  report: ReportPageData;
  cart: CartPageData;
}

/** A cart as its browser's owner sees it. */
export interface CartPageData {
  lines: {
    linkId: string;
    title: string | null;
    /** Null where it is no longer offered. */
    face: LinkFace | null;
    sellerName: string | null;
    /** Cents that this buyer would pay; null where it cannot be bought. */
    price: number | null;
    /** Cents that it costs without a discount code, where it has one. */
    listPrice: number | null;
    /** Cents that it cost when it was put in, where that was another price. */
    seenPrice: number | null;
    /** Why it cannot be bought, or its code is not taken off. */
    problem: Said | null;
    refusal: Said | null;
  }[];
  /** Cents. */
  total: number;
  /** Links that are paid together, and sellers whom they are bought from. */
  count: number;
  sellers: number;
  /** Cents that reach the sellers of it, together and by one payment for each. */
  net: { together: number; apart: number };
  /** What the checkout is told was shown; null where nothing can be paid for. */
  seen: string | null;
}

/** The link that a visitor reports, and what they typed. */
export interface ReportPageData {
  id: string;
  title: string | null;
  isSent: boolean;
  reason: string;
  words: string;
  email: string;
}

/** What a mailed link is about to open: one purchase, a gift, or all purchases of an address. */
export type AccessStep =
  | { step: 'open' | 'open-gift' | 'open-all' | 'first-operator' }
  | ({ step: 'gift' } & GivenGiftData)
  | ({ step: 'return' } & ReturnData)
  /** What the seller is about to be mailed no longer, or is mailed no longer now. */
  | { step: 'stop-sales' | 'stop-weeks'; isChanged?: boolean }
  /** What the buyer may choose now: to be mailed about new versions, or no longer. */
  | { step: 'updates' | 'no-updates'; isChanged?: boolean }
  /** The address is masked; null where none is known. */
  | { step: 'code'; email: string | null };

/** A gift as its buyer sees it. */
export interface GivenGiftData {
  linkId: string;
  title: string | null;
  /** Whom it is sent to. */
  email: string;
  isOpened: boolean;
  /** Its seller gave it, for nothing. */
  isFromSeller: boolean;
  state: 'active' | 'suspended' | 'ended';
  /** In the field for the address. */
  typed: string;
  /** Whether it is on its way once more. */
  isSent: boolean;
}

/** A purchase of what its buyer had bought before, as they see it who may give it back. */
export interface ReturnData {
  linkId: string;
  title: string | null;
  /** Cents that go back, or went, tax included. */
  returnedCents: number;
  /** When it was bought first, UTC milliseconds; null where that does not stand any more. */
  firstPaidAt: number | null;
  state: 'returnable' | 'returned' | 'disputed' | 'over' | 'kept';
}

/** What may still be uploaded. */
export interface UploadRoom {
  bytes: number;
  /** It is what is left of the account's quota; the disk could take more. */
  isQuota: boolean;
}

interface UploadPageData {
  room: UploadRoom;
  /** The link whose content is to be replaced; null for a new one. */
  link: LinkContent | null;
  /** Before the first link of an account that was never asked who buyers are told they buy from. */
  asksSellerName: boolean;
}

/** What a link sells now, as its owner knows it. */
export interface LinkContent {
  id: string;
  type: 'file' | 'link';
  title: string | null;
  url: string | null;
  files: { key: string; name: string; size: number }[];
}

/** An email that was kept instead of being sent. */
export interface MailboxMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** ISO 8601. */
  sentAt: string;
}

/** Why a request was answered with an error. */
export interface Refusal {
  code: ErrorCode;
  /** The link on whose page the person can continue. */
  linkId: string | null;
}
