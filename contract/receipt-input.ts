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
