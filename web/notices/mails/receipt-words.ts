import type { MailSite, PurchaseFacts } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';

/** What a receipt says of the payment. */
export interface PaymentFacts extends PurchaseFacts {
  /** The price, before the tax. */
  amountCents: number;
  taxCents: number;
  /** UTC milliseconds. */
  paidAt: number;
}

export const soldBy = (name: string | null) => (name ? `, ${say('sold by {name}', { name })}` : '');

export const writeTo = (email: string | null) =>
  email ? say('Questions? Write to {email}.', { email }) : '';

/** Who was paid, in the middle of a sentence: "Lantern Books Ltd, 1 Quay Street, Harbourtown". */
export function payeeOf({
  operator: { name, address },
  origin,
}: Pick<MailSite, 'operator' | 'origin'>): string {
  const lines = (address ?? '').split('\n').map((line) => line.trim());
  return [name ?? say('the operator of {host}', { host: new URL(origin).host }), ...lines]
    .filter(Boolean)
    .join(', ');
}
