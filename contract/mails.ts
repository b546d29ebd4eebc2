import type { Language } from './languages.ts';

/** An email as it is handed over for delivery. */
export interface Mail {
  subject: string;
  html: string;
  text: string;
  /** For the headers by which mail programs end such emails with one press. */
  unsubscribeUrl?: string;
}

/** What every email can say of the site that sends it. */
export interface MailSite {
  /** Without a trailing slash. */
  origin: string;
  siteName: string;
  /** Of buttons, such as #f2bb3b; null for the product's own. */
  accent: string | null;
  supportEmail: string | null;
  /** Who runs the site and is paid; the address may have several lines. */
  operator: { name: string | null; address: string | null };
  /** Whether only the operator sells: then there is no balance. */
  isSolo: boolean;
}

/**
 * What each email says, by its name: its component in `web/notices/mails/` adds its own, with the language
 * of who reads it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the components
export interface MailFacts {}

export type MailName = keyof MailFacts;

/** What the component of an email is filled in with. */
export type MailInput<Name extends MailName> = MailFacts[Name] & MailSite;

/** Every email that a person receives: filled in by the server, worded by the web app. */
export type Mails = { [Name in MailName]: (input: MailInput<Name>) => Mail };

/** The owner of an account, as an email about it greets them. */
export interface OwnerFacts {
  /** The language of the account. */
  language: Language;
  firstName: string;
}

export interface LinkFacts {
  /** As it was when the checkout began, where the email is about a purchase. */
  title: string | null;
  linkId: string;
}

/** The purchase that an email is about, as buyer, seller and operator can all name it. */
export interface PurchaseFacts extends LinkFacts {
  /** The language that the buyer is written to in. */
  language: Language;
  /** The order number. */
  purchaseId: string;
  /** As it was when the checkout began. */
  sellerName: string | null;
}

/** What a seller's browser shows of a sale, or of an hour's. */
export interface PushText {
  title: string;
  body: string;
}

/** What sellers' browsers show, worded by the web app as well. */
export interface PushTexts {
  sale(input: LinkFacts & { language: Language; netCents: number }): PushText;
  sales(input: { language: Language; sales: number; netCents: number }): PushText;
}
