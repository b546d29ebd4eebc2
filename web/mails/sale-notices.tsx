import { nameLink } from '../../contract/links.ts';
import type { PaymentDisputedInput } from '../../contract/mails.ts';
import { formatDay, formatPrice } from '../lib/format.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail } from './notice-mail.tsx';

/** A payment is contested at the buyer's bank: what that means until it is decided. */
export function paymentDisputed(input: PaymentDisputedInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const paid = `${formatPrice(input.amountCents)} for ${item}, paid on ${formatDay(input.paidAt)}`;
  return noticeMail({
    ...input,
    subject: `A payment was disputed: ${item}`,
    lead: `A buyer disputed this payment at their bank: ${paid}. Until the dispute is decided, access to the content is on hold and the disputed amount is deducted from your balance. If the dispute is won, both are restored.`,
    note: 'You do not have to do anything now.',
    button: { href: `${input.origin}/dashboard`, label: 'Open your dashboard' },
  });
}
