import { readFact } from '../../../contract/fact.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Mail, MailInput, OwnerFacts } from '../../../contract/mails.ts';
import { say, tell } from '../../languages/say.ts';
import { formatPrice, sayMoment } from '../../lib/format.ts';
import { openMoney } from './buttons.ts';
import { noticeMail, plainMail } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    payoutNotice: OwnerFacts & {
      notice: 'sent' | 'paid' | 'failed' | 'reversed';
      /** What the balance was less, and what of it arrives. */
      amountCents: number;
      arrivesCents: number;
      /** "STRIPE TEST BANK ••6789". */
      bankAccount: string | null;
      /** A sentence that says why; null where nothing is to say. */
      note: string | null;
    };
    payoutWaits: {
      language: Language;
      payoutId: string;
      creatorEmail: string;
      amountCents: number;
    };
    payoutsHeld: OwnerFacts & {
      /** Where payouts go now; null where there is none any more. */
      bankAccount: string | null;
      /** UTC milliseconds. */
      heldUntil: number;
    };
  }
}

/** How a payout fares. */
export function payoutNotice(input: MailInput<'payoutNotice'>): Mail {
  const arrives = formatPrice(input.arrivesCents);
  const amount = formatPrice(input.amountCents);
  const bank = input.bankAccount ?? say('your bank account');
  const cost = formatPrice(input.amountCents - input.arrivesCents);
  const price =
    amount === arrives
      ? ''
      : say('The payout took {amount} from your balance: it costs {cost}.', { amount, cost });
  const reason = tell(readFact(input.note ?? ''));
  const words = {
    sent: {
      subject: say('Your payout is on its way: {arrives}', { arrives }),
      lead: say(
        '{arrives} is on its way to {bank}. Banks usually take one to three business days.',
        {
          arrives,
          bank,
        },
      ),
      note: price,
    },
    paid: {
      subject: say('Your payout was paid: {arrives}', { arrives }),
      lead: say('{arrives} was paid to {bank}.', { arrives, bank }),
      note: price,
    },
    failed: {
      subject: say('Your payout did not go through: {arrives}', { arrives }),
      lead: say('{bank} did not accept your payout of {arrives}. {reason}', {
        bank,
        arrives,
        reason,
      }).trim(),
      note: say('You do not have to request it again.'),
    },
    reversed: {
      subject: say('Your payout was returned to your balance: {amount}', { amount }),
      lead: say(
        'Your payout could not be made, and {amount} is back in your balance. Reason: {reason}',
        { amount, reason },
      ),
      note: say('Nothing was charged for it.'),
    },
  };
  return noticeMail({ ...input, ...words[input.notice], button: openMoney(input.origin) });
}

/** Time to notice, before money leaves for another bank account. */
export function payoutsHeld(input: MailInput<'payoutsHeld'>): Mail {
  const change = input.bankAccount
    ? say('Payouts from your account now go to {bank}.', { bank: input.bankAccount })
    : say('The bank account that your payouts went to was removed.');
  const hold = say('To protect your money, no payout can be requested until {time}.', {
    time: sayMoment(input.heldUntil),
  });
  return noticeMail({
    ...input,
    subject: say('The bank account for your payouts was changed'),
    lead: `${change} ${hold}`,
    note: say('If this was not you, choose a new password at once, and contact us.'),
    button: openMoney(input.origin),
  });
}

/** For the operator: a creator's first payout leaves only with their consent. */
export function payoutWaits(input: MailInput<'payoutWaits'>): Mail {
  const amount = formatPrice(input.amountCents);
  const { creatorEmail: email, payoutId: id } = input;
  return plainMail({
    origin: input.origin,
    supportEmail: null,
    subject: say('A first payout waits for you: {amount}', { amount }),
    title: say('Hello,'),
    lead: say(
      '{email} has requested a first payout of {amount}. To send it, run: npm run cli -- payouts approve {id}',
      { email, amount, id },
    ),
    note: say(
      'To refuse it, run: npm run cli -- payouts refuse {id} --reason, followed by a sentence for the seller.',
      { id },
    ),
  });
}
