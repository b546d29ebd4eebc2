import { holdsAddress } from '../../../contract/characters.ts';
import type { Mail, MailSite } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import { MailButton, MailNote, MailQuote, MailTitle, writeMail } from './mail-layout.tsx';

interface PlainMailInput extends Pick<MailSite, 'origin' | 'supportEmail'> {
  subject: string;
  title: string;
  lead: string;
  /** In whose own words; as they were written. */
  quote?: string | null;
  /** What to do about it. */
  button?: { href: string; label: string };
  /** What else there is to know; may be empty. */
  note: string;
  /** Of the purchase that it is about. */
  purchaseId?: string;
  sellerName?: string | null;
}

/** An email that says one thing and ends with where questions go. */
export function plainMail(input: PlainMailInput): Mail {
  const { subject, title, lead, quote, button, origin, supportEmail, purchaseId, sellerName } =
    input;
  const sold = sellerName ? `${say('Sold by {seller}', { seller: sellerName })}. ` : '';
  const about = purchaseId && `${sold}${say('Order number: {number}', { number: purchaseId })}`;
  const note = `${input.note} ${writeTo(supportEmail)}`.trim();
  return writeMail({
    subject,
    origin,
    body: (
      <>
        <MailTitle>{title}</MailTitle>
        <p style={{ margin: '0 0 24px' }}>{lead}</p>
        {quote && <MailQuote>{quote}</MailQuote>}
        {button && <MailButton href={button.href}>{button.label}</MailButton>}
        {note && <MailNote>{note}</MailNote>}
        {about && <MailNote>{about}</MailNote>}
      </>
    ),
    paragraphs: [title, lead, quote, button && `${button.label}: ${button.href}`, note, about],
  });
}

interface NoticeMailInput extends Omit<PlainMailInput, 'title' | 'sellerName'> {
  firstName: string;
}

/** One that tells the owner of an account what happened to it, or to a sale of theirs. */
export function noticeMail({ firstName, ...input }: NoticeMailInput): Mail {
  return plainMail({ ...input, sellerName: null, title: greet(firstName) });
}

/** Where questions go; '' where the operator has no address for that. */
export const writeTo = (email: string | null) =>
  email ? say('Questions? Write to {email}.', { email }) : '';

/** Without a name of which mail programs would make a link: a stranger may have chosen it. */
export function greet(firstName: string | null): string {
  return firstName && !holdsAddress(firstName)
    ? say('Hello, {name}', { name: firstName })
    : say('Hello');
}
