/** What a mail with a six-digit code says. */
export interface CodeInput {
  code: string;
  origin: string;
}

/** What a mail about something that happened to an account says. */
export interface NoticeInput {
  firstName: string;
  origin: string;
  supportEmail: string | null;
}

/** What opens an account, other than the password, after that was changed. */
export interface RemainingKeys {
  passkeys: number;
  secretKeys: number;
  /** The names of those by whom its owner signs in: "GitHub". */
  providers: string[];
}

/** What a buyer is told of a payment that did not come. */
export interface PaymentFailedInput {
  title: string | null;
  linkId: string;
  amountCents: number;
  origin: string;
  supportEmail: string | null;
}

/** What the receipt tells its buyer: filled in by the server, put into words by the web app. */
export interface ReceiptInput {
  title: string | null;
  linkId: string;
  amountCents: number;
  /** UTC milliseconds. */
  paidAt: number;
  /** Opens the purchase in any browser. */
  personalUrl: string;
  origin: string;
  supportEmail: string | null;
}
