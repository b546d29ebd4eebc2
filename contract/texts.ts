import { fact, texts } from './fact.ts';

/** Sentences used in several places. */
export const SENTENCES = texts({
  accessOnHold: 'Your access is on hold while your bank reviews the dispute.',
  paymentProcessing: 'Your payment is being processed; we will e-mail you.',
});

/** Apart, since no page's script says it. */
export const TAKEN_DOWN = 'The operator of this site took this link down.';

/** What is said of content that is not checked yet. */
export const describePending = (may: 'bought' | 'downloaded') =>
  fact(
    may === 'bought'
      ? 'This file is being checked. It can be bought in a moment.'
      : 'This file is being checked. It can be downloaded in a moment.',
  );

/** Messages of the specification's error catalog (§8), to the letter. */
export const TEXTS = texts({
  linkNotFound: 'This paywall link does not exist.',
  endpointMissing: 'REST API endpoint not configured.',
  checkoutUrlMissing: 'Stripe URL not returned.',
  invalidPaywallData: 'Invalid paywall data.',
  unlockFailed: 'An error occurred while unlocking.',
});

/** The same, of which only the log reads. */
export const CHECKOUT_FAILED = 'Failed to create checkout session';
