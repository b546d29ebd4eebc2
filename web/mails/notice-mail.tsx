import type { NoticeInput } from '../../contract/mails.ts';
import { greet } from './code-mails.tsx';
import {
  type Mail,
  MailButton,
  MailLayout,
  MailNote,
  MailTitle,
  toMailHtml,
} from './mail-layout.tsx';

interface NoticeMailInput extends NoticeInput {
  subject: string;
  lead: string;
  /** What to do about it. */
  note: string;
  button?: { href: string; label: string };
}

/** An email that tells the owner of an account what happened to it, or to a sale. */
export function noticeMail(input: NoticeMailInput): Mail {
  const { subject, lead, button, origin, supportEmail } = input;
  const title = greet('Hello', input.firstName);
  const note = supportEmail ? `${input.note} Questions? Write to ${supportEmail}.` : input.note;
  const html = toMailHtml(
    <MailLayout origin={origin} title={subject}>
      <MailTitle>{title}</MailTitle>
      <p style={{ margin: '0 0 24px' }}>{lead}</p>
      {button && <MailButton href={button.href}>{button.label}</MailButton>}
      <MailNote>{note}</MailNote>
    </MailLayout>,
  );
  const lines = [title, lead, button?.href, note, origin].filter(Boolean);
  return { subject, html, text: `${lines.join('\n\n')}\n` };
}
