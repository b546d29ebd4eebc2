import { readFact } from '../../../contract/fact.ts';
import type { LinkFacts, Mail, MailInput, MailSite, OwnerFacts } from '../../../contract/mails.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { formatDay, formatPrice, nameLink } from '../../lib/format.ts';
import { openDashboard, seeSales } from './buttons.ts';
import { noticeMail } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    /** `paidAt` is in UTC milliseconds. */
    paymentDisputed: SaleFacts & { paidAt: number };
    /** `amountCents` is the second payment's. */
    doublePayment: SaleFacts;
    saleRefunded: SaleFacts & { isWhole: boolean; keepsEarlier: boolean; reason: string };
    /** `hasAccess` says whether the buyer can open what was bought. */
    saleRefundFailed: SaleFacts & { hasAccess: boolean };
    /** To whoever decided it; `why` the provider does not make it. */
    saleRefundRefused: SaleFacts & { byOperator: boolean; why: keyof typeof REFUSED };
    fileRefused: OwnerFacts & {
      fileName: string;
      /** Worded to follow "because". */
      because: string;
    };
  }
}

interface SaleFacts extends OwnerFacts, LinkFacts {
  /** The order number. */
  purchaseId: string;
  amountCents: number;
}

/** A payment is contested at the buyer's bank: what that means until it is decided. */
export function paymentDisputed(input: MailInput<'paymentDisputed'>): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const price = formatPrice(input.amountCents);
  const paid = say(
    'A buyer disputed this payment at their bank: {price} for {item}, paid on {day}.',
    { price, item, day: formatDay(input.paidAt) },
  );
  const meanwhile = say(
    input.isSolo
      ? 'Until the dispute is decided, access to the content is on hold and the disputed amount is deducted from your account at the payment provider. If the dispute is won, both are restored.'
      : 'Until the dispute is decided, access to the content is on hold and the disputed amount is deducted from your balance. If the dispute is won, both are restored.',
  );
  return noticeMail({
    ...input,
    subject: say('A payment was disputed: {item}', { item }),
    lead: `${paid} ${meanwhile}`,
    note: `${say('What was downloaded, and when, is shown to the bank automatically.')} ${askForMore(input)}`,
    button: seeSales(input.origin),
  });
}

/** “Support” is who is written to below, where the operator has an address for that. */
function askForMore({ isSolo, supportEmail }: MailSite): string {
  if (isSolo) {
    return say(
      'If you have anything else that shows the buyer received what they paid for, such as messages from them, please add it to the dispute at the payment provider within a week.',
    );
  }
  return say(
    supportEmail
      ? 'If you have anything else that shows the buyer received what they paid for, such as messages from them, please send it to support within a week.'
      : 'If you have anything else that shows the buyer received what they paid for, such as messages from them, please send it to the operator of this site within a week.',
  );
}

/** The operator gave a sale back, or a part of it, or its buyer did: why. */
export function saleRefunded(input: MailInput<'saleRefunded'>): Mail {
  const { reason, isWhole, keepsEarlier } = input;
  const item = nameLink({ id: input.linkId, title: input.title });
  const price = formatPrice(input.amountCents);
  const refund = say('We are refunding {price} to a buyer of {item}. Reason: {reason}', {
    price,
    item,
    reason: tell(reason),
  });
  const source = say(
    input.isSolo
      ? 'It comes from your account at the payment provider.'
      : 'Your share of it is deducted from your balance.',
  );
  const access = say(
    isWhole && !keepsEarlier
      ? 'That returns the payment in full, so the buyer’s access ends.'
      : 'The buyer keeps access.',
  );
  return noticeMail({
    ...input,
    subject: say('A sale was refunded: {item}', { item }),
    lead: `${refund} ${source} ${access}`,
    note: say('You do not have to do anything.'),
    button: seeSales(input.origin),
  });
}

/** The buyer's bank sent a refund back: what that means for the sale. */
export function saleRefundFailed(input: MailInput<'saleRefundFailed'>): Mail {
  const { hasAccess } = input;
  const item = nameLink({ id: input.linkId, title: input.title });
  const price = formatPrice(input.amountCents);
  const failed = say(
    'The buyer’s bank did not accept the refund of {price} for {item}, so the money did not reach the buyer.',
    { price, item },
  );
  const source = say(
    input.isSolo
      ? 'It is back in your account at the payment provider.'
      : 'Your share of it is back in your balance.',
  );
  return noticeMail({
    ...input,
    subject: say('A refund failed: {item}', { item }),
    lead: [failed, source, hasAccess && say('The buyer has access.')].filter(Boolean).join(' '),
    note: say(
      input.isSolo
        ? 'The buyer was asked to contact you, so that you can pay it back another way.'
        : 'The buyer was asked to contact the operator of this site, who can pay it back another way. You do not have to do anything.',
    ),
    button: seeSales(input.origin),
  });
}

const REFUSED = {
  'nothing-left': {
    lead: 'The refund of {price} for {item} was not made, because nothing is left of the payment to refund.',
    note: 'You do not have to do anything.',
  },
  'too-large': {
    lead: 'The refund of {price} for {item} was not made, because it is more than is left of the payment.',
    note: 'See how much is left, and refund that.',
  },
  disputed: {
    lead: 'The refund of {price} for {item} was not made: the payment is disputed at the buyer’s bank, which decides who gets the money.',
    note: 'You do not have to do anything.',
  },
  other: {
    lead: 'The payment provider refused the refund of {price} for {item}. Nothing was refunded.',
    note: 'Please try again. If it is refused again, pay the buyer back another way.',
  },
} satisfies Record<string, { lead: Sentence; note: Sentence }>;

/** The provider refused a refund after whoever decided it had left the page. */
export function saleRefundRefused(input: MailInput<'saleRefundRefused'>): Mail {
  const { origin, byOperator, purchaseId } = input;
  const item = nameLink({ id: input.linkId, title: input.title });
  const { lead, note } = REFUSED[input.why];
  return noticeMail({
    ...input,
    subject: say('A refund was refused: {item}', { item }),
    lead: say(lead, { price: formatPrice(input.amountCents), item }),
    note: say(note),
    button: byOperator
      ? {
          href: `${origin}/operator/purchases?search=${purchaseId}`,
          label: say('See the purchase'),
        }
      : seeSales(origin),
  });
}

/** A buyer paid twice by mistake: the second payment goes back. */
export function doublePayment(input: MailInput<'doublePayment'>): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const price = formatPrice(input.amountCents);
  return noticeMail({
    ...input,
    subject: say('A buyer paid twice: {item}', { item }),
    lead: say(
      input.isSolo
        ? 'A buyer paid twice for {item}, probably in two tabs at once. The second payment of {price} is being refunded. The first payment stays.'
        : 'A buyer paid twice for {item}, probably in two tabs at once. The second payment of {price} is being refunded, and your share of it is deducted from your balance again. The first payment stays.',
      { item, price },
    ),
    note: say('You do not have to do anything.'),
    button: openDashboard(input.origin),
  });
}

/** A file will not be sold: why, and what its creator can do. */
export function fileRefused(input: MailInput<'fileRefused'>): Mail {
  const { fileName: name, because, supportEmail } = input;
  return noticeMail({
    ...input,
    subject: say('Your file was refused: {name}', { name }),
    lead: say(
      'Your file “{name}” was refused because {because}. It is neither sold nor delivered.',
      { name, because: tell(readFact(because)) },
    ),
    note: say(
      supportEmail
        ? 'Upload another file and sell that one instead. If you think that this is a mistake, please contact support.'
        : 'Upload another file and sell that one instead. If you think that this is a mistake, please contact the operator of this site.',
    ),
    button: openDashboard(input.origin),
  });
}
