import type { FeeRate } from './money.ts';

/** A sign-in service whose accounts can be used here; each has a button on the login page. */
export interface SignInProvider {
  /** For POST /api/auth/sign-in/social. */
  id: 'oidc' | 'google' | 'github';
  label: string;
}

/** Who sells, and how the money reaches them. */
export interface PayoutTerms {
  /**
   * 'solo': the operator alone sells, and keeps all of it. Payouts to creators are booked by hand,
   * or sent through the provider.
   */
  kind: 'solo' | 'manual' | 'connect';
  /** Cents: the least that can be asked for. */
  minimumCents: number;
  /** Cents that the creator bears of each payout. */
  costCents: number;
  /** Days that a sale's money is held before it is available. */
  holdDays: number;
}

/** What a page needs to know of the server; public by construction. Served by GET /config.json. */
export interface RuntimeConfig {
  /** PUBLIC_URL without a trailing slash. */
  origin: string;
  /** What the site is called. */
  siteName: string;
  /** The path of its logo. */
  logo?: string;
  /** The checkout is POST {checkoutApiEndpoint}checkout; empty when an operator left it out. */
  checkoutApiEndpoint: string;
  graphqlEndpoint: string;
  /** The publishable key for the x-api-key header: may only read. */
  apiKey: string;
  payments: 'sandbox' | 'stripe-test' | 'stripe-live';
  /** Cents: never below the provider's. */
  minimumPriceCents: number;
  /** Cents: the least that the provider charges a card. */
  providerMinimumCents: number;
  fee: FeeRate;
  payouts: PayoutTerms;
  /** Taxes are added at checkout. */
  tax?: true;
  maxFileBytes: number;
  supportEmail?: string;
  /** What the landing page counts up to, users, links and payouts, where the operator says it. */
  landingCounters?: [number, number, number];
  /** Who runs the site, as the legal pages name them. */
  operator: { name?: string; address?: string };
  signIn: {
    /** False when accounts come from the providers alone. */
    passwords: boolean;
    providers: SignInProvider[];
  };
  /** Who may create an account, where not everybody may. */
  signUp?: 'invite' | 'closed';
  /** True when mail goes to the local mailbox page /mailbox. */
  mailbox: boolean;
}

/** What the product is called, and a site whose operator gives it no name. */
export const PRODUCT_NAME = 'Padlink';

/** What the landing page counts up to unless the operator says otherwise (specification §9). */
export const COUNTER_TARGETS: [number, number, number] = [1000, 2500, 500];
