import type { Mail, MailInput, PurchaseFacts } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import { paywallAddress } from '../../lib/addresses.ts';
import { nameLink } from '../../lib/format.ts';
import { MailButton, MailNote, MailQuote, MailTitle, writeMail } from './mail-layout.tsx';
import { plainMail, writeTo } from './plain-mail.tsx';
import { describePayment, type PaymentFacts } from './receipt-parts.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    gift: PurchaseFacts & {
      /** The buyer's words: text, in which nothing is a link. */
      message: string | null;
      /** Opens the gift in any browser. */
      personalUrl: string;
      /** Its seller gives it, for nothing. */
      isFromSeller: boolean;
    };
    giftReceipt: PaymentFacts & {
      /** Whom it was sent to, and the buyer's words. */
      giftEmail: string;
      giftMessage: string | null;
      /** Where the buyer has it sent again, or corrects the address. */
      giftUrl: string;
    };
  }
}

/** What was given to whom, and what was paid for it: this receipt opens nothing. */
export function giftReceipt(input: MailInput<'giftReceipt'>): Mail {
  const { giftEmail: email, giftMessage: message, giftUrl, linkId: id, title } = input;
  const payment = input.amountCents > 0 ? describePayment(input) : null;
  const thanks = say(payment ? 'Thank you for your purchase' : 'Your gift');
  const given = say('Your gift was sent to {email}. Only its recipient can open it.', { email });
  const again = say(payment ? 'Send it again, or correct the address' : 'Send it again');
  const support = writeTo(input.supportEmail);
  return writeMail({
    subject: say('Your gift: {item}', { item: nameLink({ id, title }) }),
    origin: input.origin,
    body: (
      <>
        <MailTitle>{thanks}</MailTitle>
        <p style={{ margin: '0 0 12px' }}>{given}</p>
        {message && <MailQuote>{message}</MailQuote>}
        {payment?.table}
        <MailButton href={giftUrl}>{again}</MailButton>
        {payment?.record}
        {support && <MailNote>{support}</MailNote>}
      </>
    ),
    paragraphs: [
      thanks,
      given,
      message,
      ...(payment?.paragraphs ?? []),
      `${again}: ${giftUrl}`,
      support,
    ],
  });
}

/** Somebody gives whoever reads this something: who sells it, and how it is opened. */
export function gift(input: MailInput<'gift'>): Mail {
  const { title, linkId, message, personalUrl } = input;
  const item = nameLink({ id: linkId, title });
  const report = `${paywallAddress(input.origin, linkId)}/report`;
  return plainMail({
    ...input,
    quote: message,
    subject: say('A gift for you: {item}', { item }),
    title: say('A gift for you'),
    lead: sayGiver(input, item),
    button: { href: personalUrl, label: say('Open your gift') },
    note: say(
      'This link is personal: anyone who has it can open your gift. Nothing is charged to you, and you will not be reminded. If someone misuses gifts to bother you, report it: {report}',
      { report },
    ),
  });
}

function sayGiver({ message, isFromSeller, sellerName }: MailInput<'gift'>, item: string): string {
  if (!isFromSeller) {
    return message
      ? say('Someone bought {item} for you, and wrote:', { item })
      : say('Someone bought {item} for you.', { item });
  }
  const seller = sellerName ?? say('The seller');
  return message
    ? say('{seller} has given you {item}, and wrote:', { seller, item })
    : say('{seller} has given you {item}.', { seller, item });
}
