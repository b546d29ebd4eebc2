import { DECLINES, type Decline } from './declines.ts';

/** What comes of a payment with a test card. */
type CardOutcome =
  | { kind: 'pays' }
  | { kind: 'declined'; decline: Decline }
  | { kind: 'authenticates' }
  | { kind: 'settles-later'; succeeds: boolean };

type CardBrand = 'amex' | 'diners' | 'discover' | 'jcb' | 'mastercard' | 'unionpay' | 'visa';

export interface TestCard {
  number: string;
  brand: CardBrand;
  funding: 'credit' | 'debit';
  outcome: CardOutcome;
  /** What happens to a payment that went through. */
  afterwards?: 'cost-unreported' | 'disputed' | 'refund-fails' | 'refund-pending';
  /** What the hosted page says of the card; cards without are not listed there. */
  hint?: string;
}

const PAYS: CardOutcome = { kind: 'pays' };
const visa = { brand: 'visa', funding: 'credit' } as const;

function pays(number: string, brand: CardBrand, funding: TestCard['funding'] = 'credit'): TestCard {
  return { number, brand, funding, outcome: PAYS };
}

function declines(number: string, reason: keyof typeof DECLINES, hint: string): TestCard {
  return { ...visa, number, hint, outcome: { kind: 'declined', decline: DECLINES[reason] } };
}

/**
 * The provider's own test numbers (https://docs.stripe.com/testing), and of the sandbox 8888 and
 * 8880, which stand for payment methods whose money comes later, and 8872, whose cost is reported
 * when a test asks for it.
 */
export const TEST_CARDS: readonly TestCard[] = [
  { ...pays('4242424242424242', 'visa'), hint: 'Pays' },
  declines('4000000000000002', 'generic', 'Is declined'),
  {
    ...visa,
    number: '4000002500003155',
    hint: 'Asks for authentication',
    outcome: { kind: 'authenticates' },
  },
  { ...pays('4000000000000259', 'visa'), afterwards: 'disputed', hint: 'Pays, then is disputed' },
  {
    ...visa,
    number: '4000000000008888',
    hint: 'Settles after a delay',
    outcome: { kind: 'settles-later', succeeds: true },
  },
  {
    ...visa,
    number: '4000000000008880',
    hint: 'Fails after a delay',
    outcome: { kind: 'settles-later', succeeds: false },
  },
  declines('4000000000009995', 'insufficient_funds', 'Has insufficient funds'),
  declines('4000000000000069', 'expired_card', 'Has expired'),
  declines('4000000000000127', 'incorrect_cvc', 'Incorrect CVC'),
  declines('4000000000000119', 'processing_error', 'Processing error'),
  {
    ...pays('4000000000007726', 'visa'),
    afterwards: 'refund-pending',
    hint: 'Refund takes a while',
  },
  { ...pays('4000000000005126', 'visa'), afterwards: 'refund-fails', hint: 'Refund fails later' },
  { ...pays('5555555555554444', 'mastercard'), hint: 'Pays (Mastercard)' },
  { ...pays('378282246310005', 'amex'), hint: 'Pays (American Express)' },
  { ...pays('4000000000008872', 'visa'), afterwards: 'cost-unreported' },
  pays('4000056655665556', 'visa', 'debit'),
  pays('4000000000000077', 'visa'),
  pays('2223003122003222', 'mastercard'),
  pays('5200828282828210', 'mastercard', 'debit'),
  pays('5105105105105100', 'mastercard'),
  pays('371449635398431', 'amex'),
  pays('6011111111111117', 'discover'),
  pays('6011000990139424', 'discover'),
  pays('3056930009020004', 'diners'),
  pays('3566002020360505', 'jcb'),
  pays('6200000000000005', 'unionpay'),
];

/** Finds a test card by its digits. */
export function findTestCard(number: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.number === number);
}

/** Finds the test card behind a charge, of which only the last four digits are kept. */
export function findTestCardByLast4(last4: string | null | undefined): TestCard | undefined {
  return TEST_CARDS.find((card) => card.number.slice(-4) === last4);
}
