import { greet } from './code-mail.tsx';
import type { Mail } from './mail.ts';
import { MailButton, MailLayout, MailNote, MailTitle, toMailHtml } from './mail-layout.tsx';

/** Sent when somebody signs up with an address that has an account: the form itself never tells. */
export function accountExists({ firstName, origin }: { firstName: string; origin: string }): Mail {
  const subject = 'You already have a Padlink account';
  const title = greet('Hello', firstName);
  const lead =
    'Somebody, probably you, tried to sign up with this address. You can simply sign in.';
  const note = 'Forgotten the password? Choose a new one on the sign-in page. Nothing has changed.';
  const address = `${origin}/login`;
  const html = toMailHtml(
    <MailLayout origin={origin} title={subject}>
      <MailTitle>{title}</MailTitle>
      <p style={{ margin: '0 0 24px' }}>{lead}</p>
      <MailButton href={address}>Sign in</MailButton>
      <MailNote>{note}</MailNote>
    </MailLayout>,
  );
  return { subject, html, text: `${title}\n\n${lead}\n\n${address}\n\n${note}\n\n${origin}\n` };
}
