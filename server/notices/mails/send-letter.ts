import type { MailName, MailSite, Mails } from '../../../contract/mails.ts';
import type { Letter, SendLetter } from '../../ground/lib/letter.ts';
import type { SendMail } from './smtp.ts';

interface LetterContext {
  sendMail: SendMail;
  mails: Mails;
  site: MailSite;
}

/** Words each email with what all of them say of the site, and sends it. */
export function createSendLetter({ sendMail, mails, site }: LetterContext): SendLetter {
  const word = <Name extends MailName>({ mail, facts }: Letter<Name>) =>
    mails[mail]({ ...facts, ...site });
  return async (letter) => sendMail(letter.to, word(letter));
}
