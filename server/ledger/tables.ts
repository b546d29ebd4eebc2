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
  /** What a deleted account owed, and nobody will pay. */
  | 'write_off'
  /** What the provider's books show and no other entry says. */
  | 'provider_transaction';

interface LedgerEntryTable {
  id: string;
  kind: EntryKind;
  /** Unique cause, e.g. "sale:pi_123": the same cause is never booked twice. */
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

declare module '../database/tables.ts' {
  interface Tables {
    ledger_entry: LedgerEntryTable;
    ledger_line: LedgerLineTable;
    user_balance: UserBalanceTable;
    reserve: ReserveTable;
  }
}
