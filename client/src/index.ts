import { verify } from './webhooks.ts';

export { type ErrorCode, PadlinkError } from './errors.ts';
export type { Cover, License, LicenseCheck, LicenseDevice, Offer } from './generated/calls.ts';
export type {
  CreatePaywallLinkInput,
  Link,
  LinkFile,
  LinkSource,
  ModelIntInput,
  ModelPaywallLinkFilterInput,
  ModelStringInput,
  Money,
  Payout,
  RefundQuote,
  Sale,
  SalesDay,
  UpdatePaywallLinkInput,
} from './generated/operations.ts';
export {
  type Checkout,
  type CheckoutOptions,
  type ContentOptions,
  type ListLinks,
  type ListSales,
  Padlink,
  type Refund,
} from './padlink.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export type { UploadData, UploadOptions } from './upload.ts';
export type {
  ToldDispute,
  ToldLink,
  ToldPayout,
  ToldRefund,
  ToldSale,
  WebhookEvent,
  WebhookHeaders,
} from './webhooks.ts';

/** What receives the messages of webhooks. */
export const webhooks = { verify };
