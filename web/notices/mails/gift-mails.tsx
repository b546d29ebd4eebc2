import { isolate } from '../../../contract/isolate.ts';
import type { MailInput, PurchaseFacts } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import { paywallAddress } from '../../lib/addresses.ts';
import { formatDay, formatPrice, nameLink } from '../../lib/format.ts';
import {
  type Mail,
  MailButton,
  MailLayout,
  MailNote,
  MailQuote,
  MailTitle,
  toMailHtml,
} from './mail-layout.tsx';
import { plainMail } from './plain-mail.tsx';
import { ReceiptTable } from './receipt-table.tsx';
import { type PaymentFacts, payeeOf, soldBy, writeTo } from './receipt-words.ts';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    gift: PurchaseFacts & {
      /** The buyer's words: text, in which nothing is a link. */
      message: string | null;
      /** Opens the gift in any browser. */
      personalUrl: string;
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
  const { giftEmail: email, giftMessage: message, giftUrl, taxCents, origin } = input;
  const item = nameLink({ id: input.linkId, title: input.title });
  const subject = say('Your gift: {item}', { item });
  const bought = isolate(item) + soldBy(input.sellerName);
  const price = formatPrice(input.amountCents);
  const tax = formatPrice(taxCents);
  const total = formatPrice(input.amountCents + taxCents);
  const day = formatDay(input.paidAt);
  const order = say('Order number: {number}', { number: input.purchaseId });
  const paidTo = say('Paid to {payee}.', { payee: payeeOf(input) });
  const given = say('Your gift was sent to {email}. Only its recipient can open it.', { email });
  const again = say('Send it again, or correct the address');
  const support = writeTo(input.supportEmail);

  const html = toMailHtml(
    <MailLayout origin={origin} title={subject}>
      <MailTitle>{say('Thank you for your purchase')}</MailTitle>
      <p style={{ margin: '0 0 12px' }}>{given}</p>
      {message && <MailQuote>{message}</MailQuote>}
      <ReceiptTable
        day={day}
        item={bought}
        price={price}
        tax={taxCents > 0 ? tax : null}
        total={total}
      />
      <MailButton href={giftUrl}>{again}</MailButton>
      <MailNote>
        {order}
        <br />
        {paidTo}
      </MailNote>
      {support && <MailNote>{support}</MailNote>}
    </MailLayout>,
  );
  const text = [
    say('Thank you for your purchase'),
    given,
    message,
    `${bought}: ${price}, ${say('paid on {day}', { day })}`,
    taxCents > 0 && `${say('Tax: {tax}.', { tax })} ${say('Total: {total}.', { total })}`,
    `${order}\n${paidTo}`,
    `${again}: ${giftUrl}`,
    support,
    origin,
  ];
  return { subject, html, text: `${text.filter(Boolean).join('\n\n')}\n` };
}

/** Somebody bought something for whoever reads this: who sells it, and how it is opened. */
export function gift(input: MailInput<'gift'>): Mail {
  const { title, linkId, message, personalUrl } = input;
  const item = nameLink({ id: linkId, title });
  const report = `${paywallAddress(input.origin, linkId)}/report`;
  return plainMail({
    ...input,
    quote: message,
    subject: say('A gift for you: {item}', { item }),
    title: say('A gift for you'),
    lead: message
      ? say('Someone bought {item} for you, and wrote:', { item })
      : say('Someone bought {item} for you.', { item }),
    button: { href: personalUrl, label: say('Open your gift') },
    note: say(
      'This link is personal: anyone who has it can open your gift. Nothing is charged to you, and you will not be reminded. If someone misuses gifts to bother you, report it: {report}',
      { report },
    ),
  });
}
