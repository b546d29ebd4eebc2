import type { Language } from '../../../contract/languages.ts';
import type { Mail, MailInput, OwnerFacts } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import { formatTime } from '../../lib/format.ts';
import { signIn } from './buttons.ts';
import { noticeMail, plainMail } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    invitation: {
      language: Language;
      role: 'seller' | 'operator';
      invitationUrl: string;
      /** UTC milliseconds. */
      expiresAt: number;
    };
    /** `suspendedBecause` is a sentence, or null where the account is restored. */
    standing: OwnerFacts & { suspendedBecause: string | null };
  }
}

/** To somebody whom an operator would like to have here. */
export function invitation(input: MailInput<'invitation'>): Mail {
  const { host } = new URL(input.origin);
  const subject = say(
    input.role === 'operator'
      ? 'You are invited to help run {host}'
      : 'You are invited to sell on {host}',
    { host },
  );
  return plainMail({
    ...input,
    subject,
    title: say('Hello,'),
    lead: `${subject}. ${say('Create an account with this email address, or sign in if you have one.')}`,
    button: { href: input.invitationUrl, label: say('Accept the invitation') },
    note: say(
      'The invitation is valid until {time}. If you did not expect it, you do not have to do anything.',
      { time: formatTime(new Date(input.expiresAt).toISOString()) },
    ),
  });
}

/** The operator suspended an account, or restored it. */
export function standing(input: MailInput<'standing'>): Mail {
  if (input.suspendedBecause === null) {
    return noticeMail({
      ...input,
      subject: say('Your {site} account was restored', { site: input.siteName }),
      lead: say(
        'You can sign in again. Your links are on sale as they were, and payouts can be sent again.',
      ),
      button: signIn(input.origin),
      note: '',
    });
  }
  return noticeMail({
    ...input,
    subject: say('Your {site} account was suspended', { site: input.siteName }),
    lead: say('The operator of this site has suspended your account. Reason: {reason}', {
      reason: input.suspendedBecause,
    }),
    note: say(
      'You cannot sign in, your links are not on sale, and your payouts are held. Your buyers keep what they bought, and the personal links in your own receipts still work.',
    ),
  });
}
