import { nameLink } from '../../contract/links.ts';
import type {
  NewVersionInput,
  PaymentFailedInput,
  PaymentReturnedInput,
  PurchasesInput,
  ReceiptInput,
  RefundMadeInput,
  ReminderInput,
} from '../../contract/mails.ts';
import { paywallAddress } from '../lib/addresses.ts';
import { countOf, formatDay, formatPrice } from '../lib/format.ts';
import {
  type Mail,
  MailButton,
  MailLayout,
  MailNote,
  MailTitle,
  toMailHtml,
} from './mail-layout.tsx';
import { plainMail } from './plain-mail.tsx';

/** What was bought, what was paid, and the personal link to it. */
export function receipt(input: ReceiptInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const subject = `Your purchase: ${item}`;
  const seller = input.sellerName ? `, sold by ${input.sellerName}` : '';
  const price = formatPrice(input.amountCents);
  const tax = formatPrice(input.taxCents);
  const total = formatPrice(input.amountCents + input.taxCents);
  const day = formatDay(input.paidAt);
  const order = `Order number: ${input.purchaseId}`;
  const paidTo = `Paid to ${payeeOf(input)}.`;
  const keep =
    'This link is personal: anyone who has it can open your purchase. Please keep it to yourself.';
  const support = input.supportEmail ? `Questions? Write to ${input.supportEmail}.` : '';
  const found = `${input.origin}/purchases`;
  const opened = paywallAddress(input.origin, input.linkId);

  const html = toMailHtml(
    <MailLayout origin={input.origin} title={subject}>
      <MailTitle>Thank you for your purchase</MailTitle>
      <table style={{ width: '100%', margin: '0 0 24px', borderCollapse: 'collapse' }}>
        <tbody>
          <tr>
            <td style={{ padding: '12px 0', borderBottom: '1px solid #dfe3e9' }}>
              {item}
              {seller}
            </td>
            <td
              style={{ padding: '12px 0', borderBottom: '1px solid #dfe3e9', textAlign: 'right' }}
            >
              {price}
            </td>
          </tr>
          {input.taxCents > 0 && (
            <tr>
              <td style={{ padding: '12px 0', borderBottom: '1px solid #dfe3e9' }}>Tax</td>
              <td
                style={{ padding: '12px 0', borderBottom: '1px solid #dfe3e9', textAlign: 'right' }}
              >
                {tax}
              </td>
            </tr>
          )}
          <tr>
            <td style={{ padding: '12px 0', fontWeight: 600 }}>Paid on {day}</td>
            <td style={{ padding: '12px 0', fontWeight: 600, textAlign: 'right' }}>{total}</td>
          </tr>
        </tbody>
      </table>
      <MailNote>
        {order}
        <br />
        {paidTo}
      </MailNote>
      <MailButton href={input.personalUrl}>Open your purchase</MailButton>
      <MailNote>
        {keep} {support}
      </MailNote>
      <MailNote>
        <a href={opened}>The page of your purchase</a> has a signed receipt, which proves what you
        bought. If this email ever gets lost,{' '}
        <a href={found}>find your purchases by your address</a>.
      </MailNote>
      <MailNote>
        <a href={input.updatesUrl}>Get an email when there is a new version</a>
      </MailNote>
    </MailLayout>,
  );
  const text = [
    'Thank you for your purchase',
    `${item}${seller}: ${price}, paid on ${day}`,
    ...(input.taxCents > 0 ? [`Tax: ${tax}. Total: ${total}.`] : []),
    `${order}\n${paidTo}`,
    `Open your purchase: ${input.personalUrl}`,
    `${keep} ${support}`.trim(),
    `The page of your purchase has a signed receipt, which proves what you bought: ${opened}`,
    `If this email ever gets lost, find your purchases by your address: ${found}`,
    `Get an email when there is a new version: ${input.updatesUrl}`,
    input.origin,
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}

/** Who was paid, in the middle of a sentence: "Lantern Books Ltd, 1 Quay Street, Harbourtown". */
function payeeOf({ operator: { name, address }, origin }: ReceiptInput): string {
  const lines = (address ?? '').split('\n').map((line) => line.trim());
  return [name ?? `the operator of ${new URL(origin).host}`, ...lines].filter(Boolean).join(', ');
}

/** What was paid for has not been downloaded, and perhaps the receipt got lost. */
export function reminder({ personalUrl, title, linkId, ...input }: ReminderInput): Mail {
  return plainMail({
    ...input,
    subject: `Your purchase is waiting: ${nameLink({ id: linkId, title })}`,
    title: 'Your purchase is waiting for you',
    lead: 'Your purchase has not been fully downloaded yet. It is yours to keep: this link opens it on any device.',
    button: { href: personalUrl, label: 'Open your purchase' },
    note: 'This link is personal: anyone who has it can open your purchase. This is the only reminder.',
  });
}

/** A delayed payment did not arrive: what that means, and where to try again. */
export function paymentFailed({ title, linkId, amountCents, ...input }: PaymentFailedInput): Mail {
  const item = nameLink({ id: linkId, title });
  return plainMail({
    ...input,
    subject: `Your payment did not go through: ${item}`,
    title: 'Your payment did not go through',
    lead: `The payment of ${formatPrice(amountCents)} for ${item} was not completed. Nothing was charged.`,
    button: { href: paywallAddress(input.origin, linkId), label: 'Try again' },
    note: '',
  });
}

const DAYS_UNTIL_IT_ARRIVES = 'It usually takes 5 to 10 days until the money is back on your card.';

/** A payment goes back, or a part of it, as its seller or the operator decided. */
export function refundMade({
  title,
  linkId,
  amountCents,
  isWhole,
  ...input
}: RefundMadeInput): Mail {
  const item = nameLink({ id: linkId, title });
  const price = formatPrice(amountCents);
  return plainMail({
    ...input,
    subject: `Your refund: ${item}`,
    title: 'You are getting a refund',
    lead: isWhole
      ? `${price} for ${item} is being refunded to you. That returns your payment in full, so your access ends.`
      : `${price} of what you paid for ${item} is being refunded to you. Your purchase stays yours.`,
    note: DAYS_UNTIL_IT_ARRIVES,
  });
}

/** Nothing is owed for a payment: why, and that the money is on its way back. */
export function paymentReturned({
  because,
  title,
  linkId,
  amountCents,
  ...input
}: PaymentReturnedInput): Mail {
  const item = nameLink({ id: linkId, title });
  const price = formatPrice(amountCents);
  const heading = because === 'double' ? 'You paid twice' : 'Your payment is being refunded';
  return plainMail({
    ...input,
    subject: `${heading}: ${item}`,
    title: heading,
    lead: {
      double: `You paid twice for ${item}. We are refunding the second payment of ${price}. Your purchase stays yours.`,
      'seller-gone': `The seller of ${item} closed their account while you were paying. We are refunding your payment of ${price}.`,
      'taken-down': `We had to take ${item} down while you were paying. We are refunding your payment of ${price}.`,
    }[because],
    note: DAYS_UNTIL_IT_ARRIVES,
  });
}

/** The link that opens everything that was paid with an address. */
export function purchases({ count, purchasesUrl, ...input }: PurchasesInput): Mail {
  const [were, them] = count === 1 ? ['was', 'it'] : ['were', 'them'];
  return plainMail({
    ...input,
    subject: 'Your purchases',
    title: 'Your purchases',
    lead: `${countOf(count, 'purchase')} ${were} paid for with this address. This link opens ${them} on the device where you follow it. It works for an hour.`,
    button: { href: purchasesUrl, label: 'Open your purchases' },
    note: 'If you did not ask for it, you can ignore this email. Please do not pass the link on: anyone who has it can open your purchases.',
  });
}

/** There is a new version of what was bought, for buyers who wanted to know. */
export function newVersion(input: NewVersionInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const subject = `A new version: ${item}`;
  const title = 'A new version is available';
  const seller = input.sellerName ? ` by ${input.sellerName}` : '';
  const lead = `Version ${input.version} of ${item}${seller} is available. It is yours at no charge, and you keep the version you bought.`;
  const why = 'You get this email because you asked to be told about new versions.';
  const html = toMailHtml(
    <MailLayout origin={input.origin} title={subject}>
      <MailTitle>{title}</MailTitle>
      <p style={{ margin: '0 0 24px' }}>{lead}</p>
      <MailButton href={input.personalUrl}>Open your purchase</MailButton>
      <MailNote>
        {why} <a href={input.updatesUrl}>Stop these emails</a>
      </MailNote>
    </MailLayout>,
  );
  const lines = [
    title,
    lead,
    `Open your purchase: ${input.personalUrl}`,
    `${why} Stop these emails: ${input.updatesUrl}`,
    input.origin,
  ];
  const text = `${lines.join('\n\n')}\n`;
  return { subject, html, text, unsubscribeUrl: input.updatesUrl };
}
