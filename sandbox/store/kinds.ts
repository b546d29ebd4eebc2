import type Stripe from 'stripe';

/** A price's decimal amount is a string in the JSON; the SDK makes its own class of it on arrival. */
export type LineItemJson = Omit<Stripe.LineItem, 'price'> & {
  price: Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string };
};

export type PaymentIntentData = Pick<
  Stripe.PaymentIntent,
  | 'description'
  | 'metadata'
  | 'receipt_email'
  | 'statement_descriptor'
  | 'statement_descriptor_suffix'
  | 'transfer_group'
>;

/** A line item and what the page says about its product. */
export interface SessionLine {
  item: LineItemJson;
  productDescription: string | null;
}

/** What a checkout session carries beyond the object that the provider shows. */
export interface SessionDetails {
  id: string;
  lines: SessionLine[];
  paymentIntentData: PaymentIntentData;
}

/** A connected account: each version of the API shows a part of it in its own words. */
export interface ConnectedAccount {
  id: string;
  /** Unix seconds. */
  created: number;
  email: string | null;
  displayName: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  entityType: Stripe.V2.Core.Account.Identity.EntityType | null;
  metadata: Record<string, string>;
  /** Whether it asks for transfers to be made to it. */
  wantsTransfers: boolean;
  payoutInterval: Stripe.BalanceSettings.Payments.Payouts.Schedule.Interval;
  bankAccount: { id: string; last4: string } | null;
  /** What has yet to be provided, in the words of API v2. */
  missing: string[];
}

/** An invitation to fill in a connected account's particulars, or to look at its money. */
export interface AccountLink {
  id: string;
  account: string;
  expiresAt: number;
  /** Null for the account's own dashboard, to which one comes more than once. */
  onboarding: { refreshUrl: string; returnUrl: string } | null;
  used: boolean;
}

/** What the platform's account settles in, where that is not US dollars. */
export interface Settlement {
  id: 'settlement';
  currency: string;
  /** What a dollar is worth in it. */
  exchangeRate: number;
}

/** Where events are sent: those of the platform, of its connected accounts, or thin ones. */
export interface EventDestination {
  id: 'we_sandbox' | 'we_sandbox_connect' | 'ed_sandbox_thin';
  isEnabled: boolean;
  enabledEvents: string[];
  isDeleted?: boolean;
  /** Of one that was created over the API; the others are the product's own from the beginning. */
  created?: { url: string; secret: string };
}

/** An event of API v2, as it can be asked for; what is sent of it lacks `data`. */
export type ThinEvent = Stripe.V2.Core.EventBase & {
  related_object: Stripe.V2.Core.Events.RelatedObject;
  data?: object;
};

/** Everything the sandbox stores, by kind; references are ids, never whole objects. */
export interface Kinds {
  account: ConnectedAccount;
  account_link: AccountLink;
  balance_transaction: Stripe.BalanceTransaction;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  dispute: Stripe.Dispute;
  event: Stripe.EventBase;
  event_destination: EventDestination;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  payment_method_configuration: Stripe.PaymentMethodConfiguration;
  payout: Stripe.Payout;
  refund: Stripe.Refund;
  session_details: SessionDetails;
  settlement: Settlement;
  thin_event: ThinEvent;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
}

export type Kind = keyof Kinds;
