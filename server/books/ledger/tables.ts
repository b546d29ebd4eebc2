export type EntryKind =
  | 'sale'
  | 'processing_cost'
  | 'refund'
  /** A refund that failed after it was booked. */
  | 'refund_reversal'
  /** What the provider kept of a refunded sale, charged when it became known after the refund. */
  | 'refund_cost'
  | 'dispute'
  | 'dispute_reversal'
  /** The provider's fee for a dispute, charged to the creator. */
  | 'dispute_fee'
  | 'payout'
  /** A payout that was taken back, refused, or that no bank took. */
  | 'payout_reversal'
  /** What a deleted account owed, and nobody will pay. */
  | 'write_off'
  /** What the provider's books show and no other entry says. */
  | 'provider_transaction';

interface LedgerEntryTable {
  id: string;
  kind: EntryKind;
  /** What happened, e.g. "sale:pi_123": never booked twice of one purchase, or without any. */
  cause: string;
  mode: 'test' | 'live';
  provider_account: string;
  currency: string;
  purchase_id: string | null;
  /** How many lines it was written with: the database takes no further ones. */
  line_count: number;
  created_at: number;
}

interface LedgerLineTable {
  entry_id: string;
  position: number;
  account: string;
  /** The creator whose account it is; null for the platform's accounts. */
  owner_id: string | null;
  /** Signed cents: positive credits the account. An entry's lines sum to zero in each currency. */
  amount_cents: number;
  currency: string;
  /** On a creator's lines: when the sale behind them was made. Null where there is none. */
  sold_at: number | null;
}

/** Sum of a creator's lines, kept in the transaction that adds them. */
interface UserBalanceTable {
  owner_id: string;
  mode: 'test' | 'live';
  balance_cents: number;
  created_at: number;
  updated_at: number;
}

/**
 * What a refund under way, or a bank's claim that took no money yet, may still take back of a sale:
 * owed to its creator and not available until the outcome is known. Moves no account.
 */
interface ReserveTable {
  purchase_id: string;
  owner_id: string;
  mode: 'test' | 'live';
  /** Above 0. */
  amount_cents: number;
  sold_at: number;
}

/**
 * What the sales of a time are worth to their seller, of those that are worth anything: what was booked
 * of each, less its reserve. Each sale is in one time of every length. Kept with the lines and reserves
 * in their transaction.
 */
interface SalesInTimeTable {
  owner_id: string;
  mode: 'test' | 'live';
  /** How long the time is, and how many such times are before it since 1970. */
  length_ms: number;
  number: number;
  /** When the provider makes them available; 0 while unknown, and where that is no later than the sale. */
  available_on: number;
  cents: number;
  sales: number;
  /** When the last of these sales was made. */
  last_sold_at: number;
}

/** A balance transaction of the provider. */
interface ProviderTransactionTable {
  id: string;
  mode: 'test' | 'live';
  provider_account: string;
  type: string;
  /** In the smallest unit of its currency, signed: positive came in. Net is amount less fee. */
  amount_cents: number;
  fee_cents: number;
  net_cents: number;
  currency: string;
  /** From the currency of the payment to this one; null where it is the same. */
  exchange_rate: number | null;
  /** The provider's id of what moved the money. */
  source_id: string | null;
  subject: 'sale' | 'refund' | 'refund_reversal' | 'dispute' | 'other';
  /** Of the entries of ours that say the same, one of each purchase, whether it is booked yet or not; null where none does. */
  cause: string | null;
  /** 1 once they are taken for it. */
  matched: number;
  /** 'waiting' for a refund that may fail, 'suspense' where nobody knows yet what it is. */
  state: 'explained' | 'waiting' | 'suspense';
  /** The first entry that explains it. */
  entry_id: string;
  available_on: number;
  created_at: number;
  imported_at: number;
}

/** How far the books of an account at the provider have been imported. */
interface ProviderBooksTable {
  provider_account: string;
  mode: 'test' | 'live';
  imported_until: number;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    provider_transaction: ProviderTransactionTable;
    provider_books: ProviderBooksTable;
    ledger_entry: LedgerEntryTable;
    ledger_line: LedgerLineTable;
    user_balance: UserBalanceTable;
    reserve: ReserveTable;
    sales_in_time: SalesInTimeTable;
  }
}
