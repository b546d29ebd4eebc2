/** Sentences used in several places. */
export const SENTENCES = {
  accessOnHold: 'Your access is on hold while your bank reviews the dispute.',
  paymentProcessing: 'Your payment is being processed; we will e-mail you.',
} as const;

/** Apart, since no page's script says it. */
export const TAKEN_DOWN = 'The operator of this site took this link down.';

/** What is said of content that is not checked yet. */
export const sayPending = (may: 'bought' | 'downloaded') =>
  `This file is being checked. It can be ${may} in a moment.`;

/** Messages of the specification's error catalogue (§8), to the letter. */
export const TEXTS = {
  linkNotFound: 'This paywall link does not exist.',
  endpointMissing: 'REST API endpoint not configured.',
  checkoutUrlMissing: 'Stripe URL not returned.',
  invalidPaywallData: 'Invalid paywall data.',
  unlockFailed: 'An error occurred while unlocking.',
  checkoutFailed: 'Failed to create checkout session',
} as const;
