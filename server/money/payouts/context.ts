import type { DatabaseContext } from '../../ground/database/tables.ts';
import type { PayoutProvider } from './payout-provider.ts';

/** How creators are paid here. */
export interface PayoutTerms {
  kind: 'solo' | 'manual' | 'connect';
  /** Cents: the least that can be asked for. */
  minimumCents: number;
  /** Cents that the creator bears of each payout. */
  costCents: number;
  /** Days that a sale's money is held before it is available. */
  holdDays: number;
}

export interface PayoutContext extends DatabaseContext {
  provider: PayoutProvider;
  /** Whose money it is at the provider. */
  account(): Promise<string>;
  terms: PayoutTerms;
}
