/** How a seller is mailed about sales: of each, of each day, or not at all. */
export const SALE_MAILS = ['each', 'daily', 'none'] as const;
export type SaleMails = (typeof SALE_MAILS)[number];

/** Which emails about sales a seller gets. */
export interface NotificationChoice {
  sales: SaleMails;
  /** Whether an email sums up each week. */
  weekly: boolean;
}

/** Sales of one account within an hour that it is told one by one; the others are told together. */
export const MAX_TOLD_SINGLY = 10;

/** Browsers of one account that show its sales. */
export const MAX_NOTIFIED_BROWSERS = 10;

/** A browser that shows an account's sales. */
export interface NotifiedBrowserDetails {
  /** Of its session. */
  id: string;
  /** "Firefox on Windows" */
  device: string;
  /** ISO 8601. */
  since: string;
  /** Of the request itself. */
  current: boolean;
}
