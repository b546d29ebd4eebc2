import type { HookEndedInput } from '../../contract/mails.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail } from './plain-mail.tsx';

/** A webhook that failed for three days was turned off. */
export function hookEnded(input: HookEndedInput): Mail {
  return noticeMail({
    ...input,
    subject: 'A webhook of your account was turned off',
    lead: `Nothing that we sent to ${input.url} for three days arrived, so we send it no more. Your page shows what it answered.`,
    note: 'Once the address works, turn the webhook on again. What was not delivered can be sent again there for 30 days.',
    button: { href: `${input.origin}/account/webhooks`, label: 'Open your webhooks' },
  });
}
