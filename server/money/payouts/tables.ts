import type { Selectable } from 'kysely';
import type { Mode } from '../../selling/purchases/tables.ts';

/** A creator's account at the provider, as it was last reported. */
interface PayoutAccountTable {
  owner_id: string;
  mode: Mode;
  account_id: string;
  /** 1 once money can be transferred to it and paid out from it. */
  is_ready: number;
  /** JSON: what the provider still asks for. */
  missing: string;
  /** As people read it; null while there is none. */
  bank_account: string | null;
  /** When another bank account took the place of the first one. */
  changed_at: number | null;
  created_at: number;
  updated_at: number;
}

/**
 * `requested` until the provider has sent it to the bank; `failed` at the bank, and tried again or
 * brought back; `reversed` once it is booked back, whoever wanted that.
 */
export type PayoutState = 'requested' | 'sent' | 'paid' | 'failed' | 'reversed';

/** Neither paid nor back in the balance. */
export const UNDER_WAY: PayoutState[] = ['requested', 'sent', 'failed'];

interface PayoutTable {
  id: string;
  owner_id: string;
  mode: Mode;
  /** Whose money it is at the provider. */
  provider_account: string;
  /** The creator's account there, and its bank account when the payout was asked for. */
  account_id: string;
  bank_account: string | null;
  /** What the creator's balance is less, and what of it the payout itself costs. */
  amount_cents: number;
  cost_cents: number;
  state: PayoutState;
  /** Null while it waits for the operator. */
  approved_at: number | null;
  /** A sentence for the creator: what it waits for, or why it failed. */
  note: string | null;
  /** When the provider was asked for the transfer: from then on it may exist; null before. */
  asked_at: number | null;
  /** The provider's ids of the transfer, and of the payout of the creator's account. */
  transfer_id: string | null;
  sent_id: string | null;
  /** Answers so far after which the provider is asked anew: part of the idempotency keys. */
  tries: number;
  /** How often the bank refused it. */
  failures: number;
  /** When a payout that failed is sent again at the latest; null unless one did. */
  try_at: number | null;
  /** Why it is to be booked back: from then on it is not sent any more. */
  returning_because: string | null;
  requested_at: number;
  changed_at: number;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    payout_account: PayoutAccountTable;
    payout: PayoutTable;
  }
}

export type Payout = Selectable<PayoutTable>;
export type PayoutAccount = Selectable<PayoutAccountTable>;
