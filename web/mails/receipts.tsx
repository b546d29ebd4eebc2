import { nameLink } from '../../contract/links.ts';
import type { PaymentFailedInput, ReceiptInput } from '../../contract/mails.ts';
import { paywallAddress } from '../lib/addresses.ts';
import { formatDay, formatPrice } from '../lib/format.ts';
import {
  type Mail,
  MailButton,
  MailLayout,
  MailNote,
  MailTitle,
  toMailHtml,
} from './mail-layout.tsx';

/** What was bought, what was paid, and the personal link to it. */
export function receipt(input: ReceiptInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const subject = `Your purchase: ${item}`;
  const seller = input.sellerName ? `, sold by ${input.sellerName}` : '';
  const price = formatPrice(input.amountCents);
  const day = formatDay(input.paidAt);
  const keep =
    'This link is personal: anyone who has it can open your purchase. Please keep it to yourself.';
  const support = input.supportEmail ? `Questions? Write to ${input.supportEmail}.` : '';

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
          <tr>
            <td style={{ padding: '12px 0', fontWeight: 600 }}>Paid on {day}</td>
            <td style={{ padding: '12px 0', fontWeight: 600, textAlign: 'right' }}>{price}</td>
          </tr>
        </tbody>
      </table>
      <MailButton href={input.personalUrl}>Open your purchase</MailButton>
      <MailNote>
        {keep} {support}
      </MailNote>
    </MailLayout>,
  );
  const text = [
    'Thank you for your purchase',
    `${item}${seller}: ${price}, paid on ${day}`,
    `Open your purchase: ${input.personalUrl}`,
    `${keep} ${support}`.trim(),
    input.origin,
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}

/** A delayed payment did not arrive: what that means, and where to try again. */
export function paymentFailed({ origin, supportEmail, ...input }: PaymentFailedInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const subject = `Your payment did not go through: ${item}`;
  const title = 'Your payment did not go through';
  const lead = `The payment of ${formatPrice(input.amountCents)} for ${item} was not completed. Nothing was charged.`;
  const again = paywallAddress(origin, input.linkId);
  const note = supportEmail ? `Questions? Write to ${supportEmail}.` : '';
  const html = toMailHtml(
    <MailLayout origin={origin} title={subject}>
      <MailTitle>{title}</MailTitle>
      <p style={{ margin: '0 0 24px' }}>{lead}</p>
      <MailButton href={again}>Try again</MailButton>
      {note && <MailNote>{note}</MailNote>}
    </MailLayout>,
  );
  const lines = [title, lead, `Try again: ${again}`, note, origin].filter(Boolean);
  return { subject, html, text: `${lines.join('\n\n')}\n` };
}
