/**
 * What people call the ways to pay any price in US dollars without typing a card's number, by Stripe's
 * names (https://docs.stripe.com/payments/payment-methods/payment-method-support).
 */
export const WALLETS = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
  paypal: 'PayPal',
  cashapp: 'Cash App Pay',
  amazon_pay: 'Amazon Pay',
  alipay: 'Alipay',
  us_bank_account: 'a US bank account',
} as const;

export type WayToPay = 'card' | keyof typeof WALLETS;
export const WAYS_TO_PAY = ['card', ...Object.keys(WALLETS)] as WayToPay[];
