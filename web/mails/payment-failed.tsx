import { nameLink } from '../../contract/name-link.ts';
import type { PaymentFailedInput } from '../../contract/payment-failed-input.ts';
import { paywallAddress } from '../data/addresses.ts';
import { formatPrice } from '../data/format.ts';
import type { Mail } from './mail.ts';
import { MailButton, MailLayout, MailNote, MailTitle, toMailHtml } from './mail-layout.tsx';

/** A payment that took its time did not come: what that means, and where to try again. */
export function paymentFailed({ origin, supportEmail, ...input }: PaymentFailedInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  const subject = `Your payment did not go through: ${item}`;
  const title = 'Your payment did not go through';
  const lead = `The payment of ${formatPrice(input.amountCents)} for ${item} did not arrive. Nothing was charged.`;
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
