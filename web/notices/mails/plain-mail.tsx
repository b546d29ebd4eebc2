import { holdsAddress } from '../../../contract/characters.ts';
import type { MailSite } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import {
  type Mail,
  MailButton,
  MailLayout,
  MailNote,
  MailQuote,
  MailTitle,
  toMailHtml,
} from './mail-layout.tsx';

interface MailWords {
  subject: string;
  lead: string;
  /** In whose own words; as they were written. */
  quote?: string | null;
  /** What to do about it. */
  button?: { href: string; label: string };
  /** What else there is to know; may be empty. */
  note: string;
}

interface PlainMailInput extends MailWords, Pick<MailSite, 'origin' | 'supportEmail'> {
  title: string;
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
  const support = supportEmail ? say('Questions? Write to {email}.', { email: supportEmail }) : '';
  const note = `${input.note} ${support}`.trim();
  const html = toMailHtml(
    <MailLayout origin={origin} title={subject}>
      <MailTitle>{title}</MailTitle>
      <p style={{ margin: '0 0 24px' }}>{lead}</p>
      {quote && <MailQuote>{quote}</MailQuote>}
      {button && <MailButton href={button.href}>{button.label}</MailButton>}
      {note && <MailNote>{note}</MailNote>}
      {about && <MailNote>{about}</MailNote>}
    </MailLayout>,
  );
  const way = button && `${button.label}: ${button.href}`;
  const text = [title, lead, quote, way, note, about, origin].filter(Boolean).join('\n\n');
  return { subject, html, text: `${text}\n` };
}

interface NoticeMailInput extends Omit<PlainMailInput, 'title' | 'sellerName'> {
  firstName: string;
}

/** One that tells the owner of an account what happened to it, or to a sale of theirs. */
export function noticeMail({ firstName, ...input }: NoticeMailInput): Mail {
  return plainMail({ ...input, sellerName: null, title: greet(firstName) });
}

/** Without a name of which mail programs would make a link: a stranger may have chosen it. */
export function greet(firstName: string | null): string {
  return firstName && !holdsAddress(firstName)
    ? say('Hello, {name}', { name: firstName })
    : say('Hello');
}
