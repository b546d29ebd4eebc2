/** Why a card payment did not go through, in the provider's codes and words. */
export interface Decline {
  code: string;
  declineCode?: string;
  message: string;
  /** The field of the hosted page that the message belongs to. */
  field: 'cardNumber' | 'expiry' | 'cvc';
}

export const DECLINES = {
  generic: {
    code: 'card_declined',
    declineCode: 'generic_decline',
    message: 'Your card was declined.',
    field: 'cardNumber',
  },
  insufficient_funds: {
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
    field: 'cardNumber',
  },
  expired_card: {
    code: 'expired_card',
    declineCode: 'expired_card',
    message: 'Your card has expired.',
    field: 'expiry',
  },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
    field: 'cvc',
  },
  processing_error: {
    code: 'processing_error',
    declineCode: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
    field: 'cardNumber',
  },
  authentication: {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    field: 'cardNumber',
  },
  settlement: {
    code: 'payment_intent_payment_attempt_failed',
    message: 'The payment did not settle.',
    field: 'cardNumber',
  },
} as const satisfies Record<string, Decline>;
