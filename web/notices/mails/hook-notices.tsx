import type { Mail, MailInput, OwnerFacts } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import { noticeMail } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    hookEnded: OwnerFacts & { url: string };
  }
}

/** A webhook that failed for three days was turned off. */
export function hookEnded(input: MailInput<'hookEnded'>): Mail {
  return noticeMail({
    ...input,
    subject: say('A webhook of your account was turned off'),
    lead: say(
      'For three days, {address} accepted nothing that we sent, so it was turned off. Your webhooks page shows what it answered.',
      { address: input.url },
    ),
    note: say(
      'Once it works, turn it on again. What was not delivered can be sent again on that page for 30 days.',
    ),
    button: { href: `${input.origin}/account/webhooks`, label: say('Open your webhooks') },
  });
}
