import { nameLink } from '../../contract/name-link.ts';
import type { ReceiptInput } from '../../contract/receipt-input.ts';
import { formatDay, formatPrice } from '../data/format.ts';
import type { Mail } from './mail.ts';
import { MailButton, MailLayout, MailNote, MailTitle, toMailHtml } from './mail-layout.tsx';

/** What was bought, what was paid, and the personal link to it. */
export function receipt(input: ReceiptInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const subject = `Your purchase: ${item}`;
  const price = formatPrice(input.amountCents);
  const day = formatDay(input.paidAt);
  const keep =
    'The link is personal: whoever has it can open your purchase. Please keep it to yourself.';
  const support = input.supportEmail ? `Questions? Write to ${input.supportEmail}.` : '';

  const html = toMailHtml(
    <MailLayout origin={input.origin} title={subject}>
      <MailTitle>Thank you for your purchase</MailTitle>
      <table style={{ width: '100%', margin: '0 0 24px', borderCollapse: 'collapse' }}>
        <tbody>
          <tr>
            <td style={{ padding: '12px 0', borderBottom: '1px solid #dfe3e9' }}>{item}</td>
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
    `${item}: ${price}, paid on ${day}`,
    `Open your purchase: ${input.personalUrl}`,
    `${keep} ${support}`.trim(),
    input.origin,
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}
