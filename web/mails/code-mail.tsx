import type { Mail } from './mail.ts';
import { MailLayout, MailNote, MailTitle, toMailHtml } from './mail-layout.tsx';

interface CodeMailInput {
  subject: string;
  title: string;
  lead: string;
  code: string;
  note: string;
  origin: string;
}

/** A mail that brings a six-digit code. */
export function codeMail({ subject, title, lead, code, note, origin }: CodeMailInput): Mail {
  const html = toMailHtml(
    <MailLayout origin={origin} title={subject}>
      <MailTitle>{title}</MailTitle>
      <p style={{ margin: 0 }}>{lead}</p>
      <p
        style={{
          margin: '24px 0 0',
          padding: '16px 0',
          borderRadius: 10,
          background: '#f0f3f6',
          font: '600 32px/1 ui-monospace, Menlo, Consolas, monospace',
          letterSpacing: 6,
          textAlign: 'center',
        }}
      >
        {code}
      </p>
      <MailNote>{note}</MailNote>
    </MailLayout>,
  );
  return { subject, html, text: `${title}\n\n${lead}\n\n${code}\n\n${note}\n\n${origin}\n` };
}

export function greet(word: string, firstName: string | null): string {
  return firstName ? `${word}, ${firstName}` : word;
}
