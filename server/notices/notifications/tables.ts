import type { Generated, Selectable } from 'kysely';
import type { SaleMails } from '../../../contract/notifications.ts';

/** How a seller wants to be told of sales; who never chose has a row from the first sale on. */
interface NotificationChoiceTable {
  owner_id: string;
  sales: Generated<SaleMails>;
  /** When the hour began in which these sales were made, UTC milliseconds. */
  hour_from: Generated<number>;
  hour_sales: Generated<number>;
  /** The email that the next sale is left to; null where none waits. */
  gathering_id: string | null;
  /** 1 for who wants an email about each week. */
  weekly: Generated<number>;
  /** The last week that was told, or need not be. */
  told_week: Generated<number>;
}

/** A browser that shows its seller each sale, as long as the session lasts that it is signed in with. */
interface NotifiedBrowserTable {
  session_id: string;
  owner_id: string;
  /** Where the push service of the browser takes its messages; nobody else knows it. */
  endpoint: string;
  /** The browser's keys, which messages to it are encrypted with: base64url. */
  p256dh: string;
  auth: string;
  created_at: number;
  /** When the push service first took nothing; null after a success. */
  failing_since: number | null;
}

/** A sale that an email tells of together with others. */
interface GatheredSaleTable {
  purchase_id: string;
  gathering_id: string;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    notification_choice: NotificationChoiceTable;
    gathered_sale: GatheredSaleTable;
    notified_browser: NotifiedBrowserTable;
  }
}

export type StoredChoice = Selectable<NotificationChoiceTable>;
export type NotifiedBrowser = Selectable<NotifiedBrowserTable>;
