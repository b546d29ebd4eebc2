import type { Mode } from '../../selling/purchases/tables.ts';

/** A creator's account at the provider, as far as it can be paid. */
interface RecipientAccount {
  id: string;
  /** Whether money can be transferred to it and paid out from it. */
  isReady: boolean;
  /** What the provider still asks for; empty when nothing is missing. */
  missing: string[];
  /** "STRIPE TEST BANK ••6789", or null while there is no bank account. */
  bankAccount: string | null;
}

export interface SentPayout {
  id: string;
  state: 'pending' | 'paid' | 'failed' /** In the provider's words. */;
  failure: string | null;
}

/** The provider holds too little for it now: it may work later. */
export class InsufficientFundsError extends Error {
  override name = 'InsufficientFundsError';
}
/** The provider will not do this, and says why in `message`: asking again does not help. */
export class PayoutRefusedError extends Error {
  override name = 'PayoutRefusedError';
}

export interface PayoutProvider {
  mode: Mode;
  /** Same key, same account. */
  createAccount(request: {
    ownerId: string;
    email: string;
    displayName: string;
    country: string;
    idempotencyKey: string;
  }): Promise<string>;
  retrieveAccount(accountId: string): Promise<RecipientAccount>;
  /** One-time address of the provider's onboarding. */
  onboardingUrl(request: {
    accountId: string;
    returnUrl: string;
    refreshUrl: string;
  }): Promise<string>;
  /** One-time address of the account's own dashboard at the provider. */
  dashboardUrl(accountId: string): Promise<string>;
  /** US-dollar cents of the platform's balance at its disposal now. */
  readAvailable(): Promise<number>;
  /** @throws InsufficientFundsError, PayoutRefusedError */
  transfer(request: {
    payoutId: string;
    accountId: string;
    amountCents: number;
    idempotencyKey: string;
  }): Promise<string>;
  /** Brings a transfer back; one that is back stays so. @throws InsufficientFundsError when the account no longer has it */
  reverseTransfer(request: { transferId: string; idempotencyKey: string }): Promise<void>;
  /** The transfer of a payout, if it was ever made: for an answer that was lost. */
  findTransfer(payoutId: string): Promise<{ id: string; reversed: boolean } | null>;
  /** From the connected account to its bank. @throws InsufficientFundsError, PayoutRefusedError */
  payOut(request: {
    payoutId: string;
    accountId: string;
    amountCents: number;
    idempotencyKey: string;
  }): Promise<SentPayout>;
  retrievePayout(request: { accountId: string; id: string }): Promise<SentPayout>;
}
