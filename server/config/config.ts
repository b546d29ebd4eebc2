import type { FeeRate } from '../../contract/money.ts';

/** What the product runs on. */
export interface Config {
  host: string;
  port: number;
  /** Origin without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  database: { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };
  payments:
    | { kind: 'sandbox'; port: number; webhookSecret: string | null }
    | { kind: 'stripe'; secretKey: string; webhookSecret: string; live: boolean };
  /** `requireTls`: the way to the server may be read by others, and the URL does not say otherwise. */
  mail: { kind: 'mailbox' } | { kind: 'smtp'; url: string; from: string; requireTls: boolean };
  /** Accounts of an OIDC provider, and the label of its button; `only`: the one way to sign in. */
  userPool: (ClientCredentials & { issuer: string; name: string; only: boolean }) | null;
  socialSignIn: { google?: ClientCredentials; github?: ClientCredentials };
  fee: FeeRate;
  /** Who pays what the provider keeps of a refunded sale. */
  refundCost: 'platform' | 'creator';
  /** Origin of the provider's custom checkout domain. */
  checkoutOrigin: string | null;
  /** Cents. */
  minimumPriceCents: number;
  maxFileBytes: number;
  /** Of all files of an account, uploads that are open included. */
  accountQuotaBytes: number;
  /** Addresses or ranges whose X-Forwarded-For is believed, as proxy-addr reads them. */
  trustedProxies: string[];
  /** What the page is told of its checkout; empty when an operator left it out. */
  checkoutApiEndpoint: string;
  /** An internal nginx location that maps to the blob folder, e.g. "/protected/". */
  downloadAccel: string | null;
  operatorEmails: string[];
  serviceKey: string | null;
  supportEmail: string | null;
  /** What the landing page counts up to: users, links, payouts. */
  landingCounters: [number, number, number];
  /** Who runs the site, as the legal pages name them; the address may have several lines. */
  operator: { name: string | null; address: string | null };
  /** Null: generated into the data folder. */
  appSecret: string | null;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** What a provider of accounts knows this product by. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}
