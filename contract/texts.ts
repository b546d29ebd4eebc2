/** Sentences used in several places. */
export const SENTENCES = {
  accessOnHold: 'Your access is on hold while your bank reviews the dispute.',
  takenDown: 'The operator of this site took this link down.',
  paymentProcessing: 'Your payment is being processed; we will e-mail you.',
} as const;

/** What is said of content that is not checked yet. */
export const sayPending = (may: 'bought' | 'downloaded') =>
  `This file is being checked. It can be ${may} in a moment.`;

/** Messages of the specification's error catalogue (§5 and §8), to the letter. */
export const TEXTS = {
  linkNotFound: 'This paywall link does not exist.',
  endpointMissing: 'REST API endpoint not configured.',
  checkoutUrlMissing: 'Stripe URL not returned.',
  invalidPaywallData: 'Invalid paywall data.',
  unlockFailed: 'An error occurred while unlocking.',
  checkoutFailed: 'Failed to create checkout session',
  selectFile: 'Select a file first.',
  invalidPrice: 'Enter a valid price greater than $0.',
  notAuthenticated: 'User not authenticated.',
  uploadFailed: 'Failed to upload.',
  uploadDone: 'Upload successful. Paywall link created.',
} as const;
