import type { InvitationInput, StandingInput } from '../../contract/mails.ts';
import { formatTime } from '../lib/format.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail, plainMail } from './plain-mail.tsx';

/** To somebody whom an operator would like to have here. */
export function invitation(input: InvitationInput): Mail {
  const { host } = new URL(input.origin);
  const task = input.role === 'operator' ? `help run ${host}` : `sell on ${host}`;
  return plainMail({
    ...input,
    subject: `You are invited to ${task}`,
    title: 'Hello,',
    lead: `You are invited to ${task}. Create an account with this email address, or sign in if you have one.`,
    button: { href: input.invitationUrl, label: 'Accept the invitation' },
    note: `The invitation is valid until ${formatTime(new Date(input.expiresAt).toISOString())}. If you did not expect it, you do not have to do anything.`,
  });
}

/** The operator suspended an account, or restored it. */
export function standing(input: StandingInput): Mail {
  if (input.suspendedBecause === null) {
    return noticeMail({
      ...input,
      subject: 'Your Padlink account was restored',
      lead: 'You can sign in again. Your links are on sale as they were, and payouts can be sent again.',
      button: { href: `${input.origin}/login`, label: 'Sign in' },
      note: '',
    });
  }
  return noticeMail({
    ...input,
    subject: 'Your Padlink account was suspended',
    lead: `The operator of this site has suspended your account. The reason: ${input.suspendedBecause}`,
    note: 'You cannot sign in, your links are not on sale, and your payouts are held. Your buyers keep what they bought, and the personal links in your own receipts still work.',
  });
}
