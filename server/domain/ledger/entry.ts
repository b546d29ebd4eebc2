import type { EntryKind } from './tables.ts';

/** Every account of the journal. Creators' accounts carry their owner. */
type Account = 'provider' | 'bank' | 'creator' | 'platform_fee' | 'processing_cost' | 'dispute_fee';

export interface Line {
  account: Account;
  ownerId?: string;
  /** Signed cents: positive credits the account. */
  amountCents: number;
}

export interface Entry {
  kind: EntryKind;
  /** What happened, uniquely: the same cause is never booked twice. */
  cause: string;
  mode: 'test' | 'live';
  providerAccount: string;
  currency: string;
  purchaseId: string | null;
  /** The link that was sold. Null where there is none. */
  linkId: string | null;
  /** When the sale behind the entry was made, UTC ms. Null where there is none. */
  soldAt: number | null;
  lines: Line[];
}
