import { nameLink } from '../../contract/links.ts';
import type {
  DoublePaymentInput,
  FileRefusedInput,
  PaymentDisputedInput,
  SaleRefundedInput,
} from '../../contract/mails.ts';
import { formatDay, formatPrice } from '../lib/format.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail } from './plain-mail.tsx';

/** A payment is contested at the buyer's bank: what that means until it is decided. */
export function paymentDisputed(input: PaymentDisputedInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const paid = `${formatPrice(input.amountCents)} for ${item}, paid on ${formatDay(input.paidAt)}`;
  const source = input.isSolo ? 'your account at the payment provider' : 'your balance';
  const answer = input.isSolo
    ? 'add it to the dispute at the payment provider'
    : `send it to ${nameSupport(input)}`;
  return noticeMail({
    ...input,
    subject: `A payment was disputed: ${item}`,
    lead: `A buyer disputed this payment at their bank: ${paid}. Until the dispute is decided, access to the content is on hold and the disputed amount is deducted from ${source}. If the dispute is won, both are restored.`,
    note: `What was downloaded, and when, is shown to the bank automatically. If you have anything else that shows the buyer received what they paid for, such as messages from them, please ${answer} within a week.`,
    button: { href: `${input.origin}/dashboard/sales`, label: 'See your sales' },
  });
}

/** “Support” is who is written to below, where the operator has an address for that. */
const nameSupport = ({ supportEmail }: { supportEmail: string | null }) =>
  supportEmail ? 'support' : 'the operator of this site';

/** The operator gave a sale back, or a part of it: why. */
export function saleRefunded({ reason, isWhole, ...input }: SaleRefundedInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const price = formatPrice(input.amountCents);
  const access = isWhole
    ? 'That returns the payment in full, so the buyer’s access ends.'
    : 'The buyer keeps access.';
  const source = input.isSolo
    ? 'It comes from your account at the payment provider.'
    : 'Your share of it is deducted from your balance.';
  return noticeMail({
    ...input,
    subject: `A sale was refunded: ${item}`,
    lead: `We are refunding ${price} to a buyer of ${item}. The reason: ${reason} ${source} ${access}`,
    note: 'You do not have to do anything.',
    button: { href: `${input.origin}/dashboard/sales`, label: 'See your sales' },
  });
}

/** A buyer paid twice by mistake: the second payment goes back. */
export function doublePayment(input: DoublePaymentInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const price = formatPrice(input.amountCents);
  const share = input.isSolo ? '' : ', and your share of it is deducted from your balance again';
  return noticeMail({
    ...input,
    subject: `A buyer paid twice: ${item}`,
    lead: `A buyer paid twice for ${item}, probably in two tabs at once. The second payment of ${price} is being refunded${share}. The first payment stays.`,
    note: 'You do not have to do anything.',
    button: { href: `${input.origin}/dashboard`, label: 'Open your dashboard' },
  });
}

/** A file will not be sold: why, and what its creator can do. */
export function fileRefused(input: FileRefusedInput): Mail {
  return noticeMail({
    ...input,
    subject: `Your file was refused: ${input.fileName}`,
    lead: `Your file “${input.fileName}” was refused because ${input.because}. It is neither sold nor delivered.`,
    note: `Upload another file and sell that one instead. If you think that this is a mistake, please contact ${nameSupport(input)}.`,
    button: { href: `${input.origin}/dashboard`, label: 'Open your dashboard' },
  });
}
