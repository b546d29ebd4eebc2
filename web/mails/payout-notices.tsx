import { formatMoment } from '../../contract/format.ts';
import type {
  PayoutNoticeInput,
  PayoutsHeldInput,
  PayoutWaitsInput,
} from '../../contract/mails.ts';
import { formatPrice } from '../lib/format.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail, plainMail } from './plain-mail.tsx';

/** How a payout fares. */
export function payoutNotice(input: PayoutNoticeInput): Mail {
  const arrives = formatPrice(input.arrivesCents);
  const amount = formatPrice(input.amountCents);
  const bank = input.bankAccount ?? 'your bank account';
  const button = { href: `${input.origin}/dashboard/money`, label: 'Open your money page' };
  const cost = formatPrice(input.amountCents - input.arrivesCents);
  const price =
    amount === arrives ? '' : `The payout took ${amount} from your balance: it costs ${cost}.`;
  switch (input.notice) {
    case 'sent':
      return noticeMail({
        ...{ ...input, button, note: price },
        subject: `Your payout is on its way: ${arrives}`,
        lead: `${arrives} is on its way to ${bank}. Banks usually take one to three working days.`,
      });
    case 'paid':
      return noticeMail({
        ...{ ...input, button, note: price },
        subject: `Your payout was paid: ${arrives}`,
        lead: `${arrives} was paid to ${bank}.`,
      });
    case 'failed':
      return noticeMail({
        ...{ ...input, button },
        subject: `Your payout did not go through: ${arrives}`,
        lead: `${bank} did not take your payout of ${arrives}. ${input.note ?? ''}`.trim(),
        note: 'You do not have to ask for it again.',
      });
    case 'reversed':
      return noticeMail({
        ...{ ...input, button },
        subject: `Your payout was returned to your balance: ${amount}`,
        lead: `Your payout could not be made, and ${amount} is in your balance again. The reason: ${input.note ?? ''}`,
        note: 'Nothing was charged for it.',
      });
  }
}

/** Time to notice, before money leaves for another bank account. */
export function payoutsHeld(input: PayoutsHeldInput): Mail {
  const change = input.bankAccount
    ? `Payouts from your account now go to ${input.bankAccount}.`
    : 'The bank account that your payouts went to was removed.';
  return noticeMail({
    ...input,
    subject: 'The bank account for your payouts was changed',
    lead: `${change} To protect your money, no payout can be asked for until ${formatMoment(input.heldUntil)}.`,
    note: 'If this was not you, choose a new password at once, and contact us.',
    button: { href: `${input.origin}/dashboard/money`, label: 'Open your money page' },
  });
}

/** For the operator: a creator's first payout leaves only with their consent. */
export function payoutWaits(input: PayoutWaitsInput): Mail {
  const amount = formatPrice(input.amountCents);
  return plainMail({
    ...{ origin: input.origin, supportEmail: null },
    subject: `A first payout waits for you: ${amount}`,
    title: 'Hello,',
    lead: `${input.creatorEmail} has asked for a first payout, of ${amount}. To send it, run: npm run cli -- payouts approve ${input.payoutId}`,
    note: `To refuse it, run: npm run cli -- payouts refuse ${input.payoutId} --reason, followed by a sentence for the creator.`,
  });
}
