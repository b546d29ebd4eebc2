import type { Language } from '../../../contract/languages.ts';
import type { LinkFacts, Mail, MailInput, MailSite } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import { nameLink } from '../../lib/format.ts';
import { MailNote, MailTitle, writeMail } from './mail-layout.tsx';
import { greet } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    verification: CodeFacts;
    /** `firstName` is null if the address is unconfirmed: a stranger may have chosen the name. */
    passwordReset: CodeFacts & { firstName: string | null };
    emailChange: CodeFacts;
    accessCode: CodeFacts & LinkFacts;
    mailProof: CodeFacts;
  }
}

interface CodeFacts {
  language: Language;
  code: string;
}

/** An email with a six-digit code. */
function codeMail(
  { code, origin, siteName: site }: CodeFacts & MailSite,
  { title, lead, note }: Record<'title' | 'lead' | 'note', string>,
): Mail {
  return writeMail({
    subject: say('{code} is your {site} code', { code, site }),
    origin,
    body: (
      <>
        <MailTitle>{title}</MailTitle>
        <p style={{ margin: 0 }}>{lead}</p>
        <p
          className="well"
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
      </>
    ),
    paragraphs: [title, lead, code, note],
  });
}

/** Sent to the new address. */
export function emailChange(input: MailInput<'emailChange'>): Mail {
  return codeMail(input, {
    title: say('Hello'),
    lead: say('Enter this code to use this address for your account:'),
    note: say(
      'If you did not request it, you can ignore this email. Nothing changes without the code.',
    ),
  });
}

export function passwordReset(input: MailInput<'passwordReset'>): Mail {
  return codeMail(input, {
    title: greet(input.firstName),
    lead: say('Enter this code to choose a new password:'),
    note: say(
      'If you did not request it, you can ignore this email. Your password stays as it is.',
    ),
  });
}

/** Sent at sign-up, and when someone signs in with an unconfirmed address. */
export function verification(input: MailInput<'verification'>): Mail {
  return codeMail(input, {
    title: say('Welcome'),
    lead: say('Enter this code to confirm your email address:'),
    note: say('If you did not sign up, you can ignore this email.'),
  });
}

/** Sent to the buyer where the personal link is opened in one browser more than it opens by itself. */
export function accessCode(input: MailInput<'accessCode'>): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  return codeMail(input, {
    title: say('Open your purchase in one more browser'),
    lead: say(
      'The personal link of your purchase “{item}” is already in use in several browsers. To open it in one more, enter this code there:',
      { item },
    ),
    note: say(
      'It works for ten minutes. If you did not request it, someone else has your personal link; without the code, they cannot open your purchase.',
    ),
  });
}

/** Sent to an operator, to see that mail arrives. */
export function mailProof(input: MailInput<'mailProof'>): Mail {
  return codeMail(input, {
    title: say('This email arrived'),
    lead: say('Enter this code on the page where you set up the site:'),
    note: say('It works for ten minutes. If you did not request it, you can ignore this email.'),
  });
}
