import type { MailFacts, MailName } from '../../../contract/mails.ts';

/** An email before it is worded: whom it goes to, which one it is, and what it says. */
export type Letter<Name extends MailName = MailName> = {
  [Each in Name]: { to: string; mail: Each; facts: MailFacts[Each] };
}[Name];

/** Hands an email over for delivery; rejects if it was not accepted, so that it can be retried. */
export type SendLetter = (letter: Letter) => Promise<void>;
