import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Language } from '../../../contract/languages.ts';

export type Mode = 'test' | 'live';

/**
 * The provider account of purchases that were made at another installation, whose books have their
 * money: nothing here follows their payments.
 */
export const IMPORTED = 'imported';

/**
 * What buyers pay by: a checkout that the provider opened, for one purchase or for several that are paid
 * at once. It is written with the provider's answer, so a purchase whose checkout never opened has none.
 */
interface PaymentTable {
  /** Made up before the provider is asked, which notes it with the checkout. */
  id: string;
  session_id: string;
  /** The provider's page. */
  checkout_url: string | null;
  /** Once it is paid. */
  payment_intent_id: string | null;
}

type PurchaseState = 'open' | 'processing' | 'settled' | 'failed' | 'expired';

/** A line of a payment: one link, bought for one price from one seller. */
interface PurchaseTable {
  id: string;
  payment_id: string;
  /** Its place in the payment, from 1. */
  line: number;
  link_id: string;
  /** What was offered at the checkout: its buyer keeps it, whatever the link sells later. */
  content_version: number;
  seller_id: string;
  /** The signed-in buyer's id; null for a guest. */
  buyer_id: string | null;
  /** SHA-256 of the browser's claim cookie, hex. */
  claim_hash: string;
  /** The agreed price, fixed when the checkout begins; of a settled purchase the gross. Cents. */
  price_cents: number;
  /** What the link cost when the checkout began; null of those before it was noted. */
  list_cents: ColumnType<number | null, number | null | undefined, number | null>;
  /** The platform's part of the agreed price, fixed with it. */
  fee_cents: number;
  /** 1 where the provider adds taxes to the price at the checkout. */
  taxed: ColumnType<number, number | undefined, number>;
  /** What was added to the price and paid as tax, cents; 0 until it settles. */
  tax_cents: ColumnType<number, number | undefined, number>;
  currency: string;
  mode: Mode;
  provider_account: string;
  buyer_email: string | null;
  /** The same as addresses are compared; null also where lower case is enough: see `mailboxOf`. */
  buyer_mailbox: ColumnType<string | null, string | null | undefined, string | null>;
  state: PurchaseState;
  created_at: number;
  expires_at: number;
  settled_at: number | null;
  /** When the provider makes the money available, where that is known, and later than the sale. */
  available_on: number | null;
  /** The link's title and its seller's name as they were when the checkout began. */
  title: string | null;
  seller_name: string | null;
  /** When it is looked at whether the purchase arrived; null once it was. */
  watch_at: number | null;
  /** When it had not arrived, and the buyer was reminded. */
  undelivered_at: number | null;
  /** When the mail server last refused the buyer's address. */
  receipt_refused_at: number | null;
  /**
   * Why Padlink itself gave the payment back: a second one, or one for what its seller had left or
   * the operator had taken down.
   */
  refunded_because: 'double' | 'seller-gone' | 'taken-down' | null;
  /** Where the checkout began, for evidence in a dispute: a network address and "Firefox on Windows". */
  buyer_address: string | null;
  buyer_browser: string | null;
  /** Where the buyer came from, as `contract/sources.ts` writes it; null where that is not known. */
  source: ColumnType<string | null, string | null | undefined, string | null>;
  /** In which the buyer is written to. */
  language: ColumnType<Language, Language | undefined, never>;
  /** Whom it is given to, as the buyer typed it; null for what the buyer keeps. */
  gift_email: ColumnType<string | null, string | null | undefined, string>;
  gift_mailbox: ColumnType<string | null, string | null | undefined, string | null>;
  gift_message: ColumnType<string | null, string | null | undefined, never>;
  /** When the recipient opened it first. */
  gift_opened_at: ColumnType<number | null, number | null | undefined, number>;
  /** How often its buyer had it sent again, to whichever address. */
  gift_resends: ColumnType<number, number | undefined, number>;
}

/**
 * What the purchase of a bundle brings: itself, and its parts in the versions on sale when the
 * checkout began. What is bought alone has none of these.
 */
interface PurchasePartTable {
  purchase_id: string;
  link_id: string;
  content_version: number;
}

/** What a purchase bears of something that the provider did to a payment of several: cents, signed. */
interface PaymentShareTable {
  /** The provider's id of the refund, the dispute, or the movement of one. */
  object_id: string;
  purchase_id: string;
  amount_cents: number;
}

/** A refund of a settled purchase, whoever made it. */
interface RefundTable {
  /** Ours, or the provider's for one that was made there, which other lines of its payment may share. */
  id: string;
  purchase_id: string;
  amount_cents: number;
  /** 'requested' until the provider answered. */
  state: 'requested' | 'pending' | 'succeeded' | 'failed';
  /** As whoever asked for it gave it. */
  reason: string | null;
  /** Null for one that was made at the provider. */
  requested_by: 'creator' | 'operator' | 'buyer' | null;
  created_at: number;
}

/** A payment that is contested at the buyer's bank, as the provider last reported it. */
interface DisputeTable {
  /** The provider's, which all lines of its payment share. */
  id: string;
  purchase_id: string;
  amount_cents: number;
  /** 'inquiry': the bank only asks; 'over': won, prevented, or an inquiry that came to nothing. */
  stage: 'inquiry' | 'open' | 'lost' | 'over';
  /** 1 while the bank waits for evidence. */
  awaits_answer: number;
  /** Until when. */
  respond_by: number | null;
  /** JSON: SHA-256 of each text that was attached, by the provider's name of its field. */
  evidence: string;
  evidence_state: 'none' | 'attached' | 'sent';
  created_at: number;
}

interface AccessGrantTable {
  id: string;
  purchase_id: string;
  link_id: string;
  buyer_id: string | null;
  /** 'suspended' while a dispute is open; 'ended' after a full refund or a lost dispute. */
  state: 'active' | 'suspended' | 'ended';
  created_at: number;
  updated_at: number;
  /** Bytes of the files that were bought and are still kept, each once; null where there are none. */
  size_bytes: ColumnType<number | null, number | null | undefined>;
  /** Rises from grant to grant, in the order in which the database wrote them. */
  position: Generated<number>;
  /** 1 where the buyer asked to be mailed about new versions. */
  wants_versions: Generated<number>;
  /** The last one that they were mailed about. */
  told_version: Generated<number>;
}

/** The browsers that hold a grant: the one that paid, and each that opened the personal link. */
interface GrantClaimTable {
  grant_id: string;
  claim_hash: string;
  /** When the personal link was opened last; 0 for the browser that paid. */
  claimed_at: ColumnType<number, number | undefined, number>;
  /** 1 where a code or link mailed to the buyer was used in it. */
  proven: ColumnType<number, number | undefined, number>;
}

/** The code that lets one more browser hold a grant: mailed to the buyer, one at a time. */
interface AccessCodeTable {
  grant_id: string;
  /** HMAC-SHA-256, base64url. */
  hash: string;
  expires_at: number;
  /** Wrong ones that were entered in its place. */
  failures: number;
}

/** Inbox of the provider's events: stored before they are answered. */
interface WebhookEventTable {
  id: string;
  type: string;
  mode: Mode;
  /** The connected account in which it happened, or that it is about. */
  account: ColumnType<string | null, string | null | undefined, never>;
  payload: string;
  received_at: number;
  handled_at: number | null;
}

/** How far the provider's events were read, of one account and mode. */
interface ProviderCursorTable {
  name: string;
  /** When the newest event that was read happened. */
  read_until: number;
  /** When the provider was last asked. */
  asked_at: number;
  /** When it last answered with all of them. */
  listed_at: number | null;
}

/** A time of which nobody read the provider's events while it listed them, UTC milliseconds. */
interface ProviderGapTable {
  name: string;
  began_at: number;
  ended_at: number;
}

/**
 * Bytes actually sent for a grant: one row for all responses of a day that ended alike, because a
 * download may be asked for in as many parts as somebody likes.
 */
export interface DeliveryTable {
  id: string;
  grant_id: string;
  file_key: string;
  /** Whole UTC days since 1970. */
  day: number;
  responses: number;
  /** The lowest that was sent. */
  first_byte: number;
  /** Of all responses together. */
  bytes_sent: number;
  /** 'delivered' when the whole requested range left, 'broken' when not, 'handed_over' to nginx. */
  outcome: 'delivered' | 'broken' | 'handed_over';
  /** Of the first response. */
  started_at: number;
  /** Of the last one. */
  ended_at: number;
  /** Where the first response went, for evidence in a dispute. */
  address: string | null;
  browser: string | null;
}

/** Which bytes of a file have been sent for a grant so far. */
interface DeliveredFileTable {
  grant_id: string;
  file_key: string;
  /** JSON: positions of first bytes and of ends, in order and apart from each other. */
  ranges: string;
  /** How many bytes are in them. */
  bytes: number;
  /** 0 for a file that was not bought itself: it is of a newer version, which came with what was. */
  bought: ColumnType<number, number | undefined>;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    payment: PaymentTable;
    purchase: PurchaseTable;
    purchase_part: PurchasePartTable;
    payment_share: PaymentShareTable;
    refund: RefundTable;
    dispute: DisputeTable;
    access_grant: AccessGrantTable;
    grant_claim: GrantClaimTable;
    access_code: AccessCodeTable;
    webhook_event: WebhookEventTable;
    provider_cursor: ProviderCursorTable;
    provider_gap: ProviderGapTable;
    delivery: DeliveryTable;
    delivered_file: DeliveredFileTable;
  }
}

export type Purchase = Selectable<PurchaseTable>;
/** A purchase with what is known of its payment: nothing before the provider opened its checkout. */
export type PaymentLine = Purchase & {
  [Column in keyof Omit<PaymentTable, 'id'>]: PaymentTable[Column] | null;
};
export type AccessGrant = Selectable<AccessGrantTable>;
export type Refund = Selectable<RefundTable>;
export type Dispute = Selectable<DisputeTable>;
