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

/** An invitation to fill in a connected account's particulars. */
export interface OnboardingLink {
  id: string;
  account: string;
  expiresAt: number;
  refreshUrl: string;
  returnUrl: string;
  used: boolean;
}

/** What the platform's account settles in, where that is not US dollars. */
export interface Settlement {
  id: 'settlement';
  currency: string;
  /** What a dollar is worth in it. */
  exchangeRate: number;
}

/** Everything the sandbox stores, by kind; references are ids, never whole objects. */
export interface Kinds {
  account: Stripe.Account;
  balance_transaction: Stripe.BalanceTransaction;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  dispute: Stripe.Dispute;
  event: Stripe.EventBase;
  onboarding_link: OnboardingLink;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  payout: Stripe.Payout;
  refund: Stripe.Refund;
  session_details: SessionDetails;
  settlement: Settlement;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
  webhook_endpoint: Stripe.WebhookEndpoint;
}

export type Kind = keyof Kinds;
