import type { PaymentLine } from './tables.ts';

/**
 * What differs between a link that is bought alone and a cart. All else takes a payment as lines, however
 * many there are.
 */
interface PaymentKind {
  /** The job that mails its buyer the receipt. */
  receipt: 'send-receipt' | 'send-cart-receipt';
  /** What is noted and told of each line; nothing of the one that says it all. */
  listLines<Line>(lines: Line[]): Line[];
  /** Where whoever does not pay comes back to. */
  returnPath(first: PaymentLine, code: string | undefined): string;
  /** Why a line cannot be sold again, for the operator. */
  describeFault(linkId: string, fault: string): string;
}

const ALONE: PaymentKind = {
  receipt: 'send-receipt',
  listLines: () => [],
  returnPath: pageOf,
  describeFault: (_linkId, fault) => fault,
};

const CART: PaymentKind = {
  receipt: 'send-cart-receipt',
  listLines: (lines) => lines,
  returnPath: () => '/cart',
  describeFault: (linkId, fault) => `of ${linkId} in its cart, ${fault}`,
};

/** @param lines all of a payment */
export const paymentKind = ({ length }: unknown[]): PaymentKind => (length > 1 ? CART : ALONE);

/** Its visitor finds the lower price or their gift, and still comes from where they came. */
function pageOf({ link_id, source, gift_email }: PaymentLine, code: string | undefined): string {
  const said = new URLSearchParams({
    ...(code !== undefined && { code }),
    ...(gift_email !== null && { gift: '' }),
    ...(source !== null && source !== 'direct' && { from: source }),
  });
  return said.size > 0 ? `/p/${link_id}?${said}` : `/p/${link_id}`;
}
