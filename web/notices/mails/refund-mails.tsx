import { isolate } from '../../../contract/isolate.ts';
import type { Mail, MailInput, MailSite, PurchaseFacts } from '../../../contract/mails.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { paywallAddress } from '../../lib/addresses.ts';
import { formatPrice, nameLink } from '../../lib/format.ts';
import { plainMail } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    paymentReturned: AmountFacts & { because: 'double' | 'seller-gone' | 'taken-down' };
    refund: AmountFacts & {
      /** Whether nothing is left of the payment, and the access ends. */
      isWhole: boolean;
      /** Whether it was given to someone else. */
      isGift: boolean;
      /** Whether the buyer keeps the same by an earlier purchase. */
      keepsEarlier: boolean;
    };
    /** `hasAccess` says whether what was bought can be opened now. */
    refundFailed: AmountFacts & { isGift: boolean; hasAccess: boolean };
    /** `hasAccess` as above; `why` it is not made. */
    refundRefused: AmountFacts & { isGift: boolean; hasAccess: boolean; why: string };
  }
}

interface AmountFacts extends PurchaseFacts {
  /** What is refunded. */
  amountCents: number;
}

const DAYS_UNTIL_IT_ARRIVES = 'It usually takes 5 to 10 days for the money to reach your card.';

const REFUNDED = {
  own: {
    whole:
      '{price} for {item} is being refunded to you. That returns your payment in full, so your access ends.',
    part: '{price} of what you paid for {item} is being refunded to you. Your purchase stays yours.',
  },
  again: {
    whole:
      '{price} for {item}, which you bought twice, is being refunded to you. Your first purchase stays yours.',
    part: '{price} of what you paid for {item} is being refunded to you. Your purchase stays yours.',
  },
  gift: {
    whole:
      '{price} for your gift {item} is being refunded to you. That returns your payment in full, so the gift ends.',
    part: '{price} of what you paid for your gift {item} is being refunded to you. The recipient keeps it.',
  },
} satisfies Record<string, Record<string, Sentence>>;

/** A payment goes back, or a part of it, whoever decided it. */
export function refund(input: MailInput<'refund'>): Mail {
  const { title, linkId, amountCents, isWhole, isGift, keepsEarlier } = input;
  const item = nameLink({ id: linkId, title });
  const price = formatPrice(amountCents);
  const which = keepsEarlier ? 'again' : 'own';
  return plainMail({
    ...input,
    subject: say('Your refund: {item}', { item }),
    title: say('You are getting a refund'),
    lead: say(REFUNDED[isGift ? 'gift' : which][isWhole ? 'whole' : 'part'], { price, item }),
    note: say(DAYS_UNTIL_IT_ARRIVES),
  });
}

/** The buyer's bank sent a refund back: where the money is, and what to do. */
export function refundFailed(input: MailInput<'refundFailed'>): Mail {
  const { title, linkId, amountCents } = input;
  const item = nameLink({ id: linkId, title });
  const failed = say(
    'Your bank did not accept the refund of {price} for {item}: the card may have expired, or its account may be closed. The money did not reach you, and is back with us.',
    { price: formatPrice(amountCents), item },
  );
  return moneyStays(input, {
    subject: say('Your refund did not arrive: {item}', { item }),
    title: say('Your refund did not arrive'),
    failed,
    note: askForMoney(input),
  });
}

/** The provider does not make a refund that the buyer was told of. */
export function refundRefused(input: MailInput<'refundRefused'>): Mail {
  const { title, linkId, amountCents, why } = input;
  const item = nameLink({ id: linkId, title });
  const isDisputed = why === 'disputed';
  const failed = say(
    isDisputed
      ? 'We could not refund {price} for {item}: your bank is looking into this payment, and will decide whether you get the money back.'
      : 'We could not refund {price} for {item}: the payment provider refused it. The money was not returned to you.',
    { price: formatPrice(amountCents), item },
  );
  return moneyStays(input, {
    subject: say('Your refund was refused: {item}', { item }),
    title: say('Your refund was refused'),
    failed,
    note: isDisputed ? '' : askForMoney(input),
  });
}

const askForMoney = ({ supportEmail }: MailSite) =>
  say(
    supportEmail
      ? 'Please contact support, so that it can be paid to you another way.'
      : 'Please contact the operator of this site, so that it can be paid to you another way.',
  );

function moneyStays(
  input: MailInput<'refundFailed'>,
  { failed, ...words }: { subject: string; title: string; failed: string; note: string },
): Mail {
  const { linkId, isGift, hasAccess } = input;
  const access = say(isGift ? 'Your gift is still valid.' : 'Your purchase is still yours.');
  const ownAccess = hasAccess && !isGift;
  return plainMail({
    ...input,
    ...words,
    lead: hasAccess ? `${failed} ${access}` : failed,
    ...(ownAccess && {
      button: { href: paywallAddress(input.origin, linkId), label: say('Open your purchase') },
    }),
  });
}

const RETURNED: Record<MailInput<'paymentReturned'>['because'], Sentence> = {
  double:
    'You paid twice for {item}. We are refunding the second payment of {price}. Your purchase stays yours.',
  'seller-gone':
    'The seller of {item} closed their account while you were paying. We are refunding your payment of {price}.',
  'taken-down':
    'We had to take {item} down while you were paying. We are refunding your payment of {price}.',
};

/** Nothing is owed for a payment: why, and that the money is on its way back. */
export function paymentReturned(input: MailInput<'paymentReturned'>): Mail {
  const { because, title, linkId, amountCents } = input;
  const item = nameLink({ id: linkId, title });
  const price = formatPrice(amountCents);
  const heading = say(because === 'double' ? 'You paid twice' : 'Your payment is being refunded');
  return plainMail({
    ...input,
    subject: `${heading}: ${isolate(item)}`,
    title: heading,
    lead: say(RETURNED[because], { item, price }),
    note: say(DAYS_UNTIL_IT_ARRIVES),
  });
}
