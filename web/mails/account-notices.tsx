import type { SecretKeyDetails } from '../../contract/account-details.ts';
import type { Holding, NoticeInput, RemainingKeys } from '../../contract/mails.ts';
import { SCOPE_MEANS } from '../../contract/secret-key-scopes.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail } from './plain-mail.tsx';

const signIn = (origin: string) => ({ href: `${origin}/login`, label: 'Sign in' });
const openAccount = (origin: string) => ({
  href: `${origin}/account`,
  label: 'Open your account page',
});

/**
 * Sent when someone signs up with an address that has an account: the form itself never reveals it.
 */
export function accountExists(input: NoticeInput): Mail {
  return noticeMail({
    ...input,
    subject: 'You already have a Padlink account',
    lead: 'Someone, probably you, tried to sign up with this address. You can simply sign in.',
    note: 'Forgot your password? Choose a new one on the sign-in page. Nothing has changed.',
    button: signIn(input.origin),
  });
}

/**
 * @param input byCode: a new password was chosen with a code from this mailbox, which ends more
 * than a change does.
 */
export function passwordChanged(
  input: NoticeInput & Holding & { byCode: boolean; remaining: RemainingKeys },
): Mail {
  const change = input.byCode
    ? 'The password of your account has just been changed with a code from this mailbox. All devices were signed out and all secret keys revoked.'
    : 'The password of your account has just been changed.';
  return noticeMail({
    ...input,
    subject: 'Your Padlink password was changed',
    lead: `${change}${describeRemaining(input.remaining)}${describeHold(input)}`,
    note: 'If this was not you, choose a new password at once with “Forgot your password?” on the sign-in page.',
    button: signIn(input.origin),
  });
}

/** Sent to the old address. */
export function emailChanged(input: NoticeInput & Holding & { newEmail: string }): Mail {
  return noticeMail({
    ...input,
    subject: 'Your Padlink email address was changed',
    lead: `You now sign in with ${input.newEmail}. This address no longer belongs to your account.${describeHold(input)}`,
    note: 'If this was not you, someone else knows your password: contact us at once.',
  });
}

export function accountDeleted(input: NoticeInput): Mail {
  return noticeMail({
    ...input,
    subject: 'Your Padlink account was deleted',
    lead: 'Your account, your name and your links were deleted. Your buyers keep what they bought.',
    note: 'You can still open your own purchases with the personal links in your receipts.',
  });
}

export function twoFactorOff(input: NoticeInput): Mail {
  return noticeMail({
    ...input,
    subject: 'Two-factor sign-in was turned off',
    lead: 'Signing in to your Padlink account no longer asks for a code from your app.',
    note: 'If this was not you, someone else knows your password: choose a new one at once, with “Forgot your password?”, and turn two-factor sign-in on again.',
    button: signIn(input.origin),
  });
}

export function passkeyAdded(input: NoticeInput): Mail {
  return noticeMail({
    ...input,
    subject: 'A passkey was added to your account',
    lead: 'A device can now sign in to your Padlink account with a passkey, without your password. If this was not you, remove it on your account page and choose a new password at once.',
    note: '',
    button: openAccount(input.origin),
  });
}

export function secretKeyCreated(
  input: NoticeInput & { key: Pick<SecretKeyDetails, 'name' | 'scopes'> },
): Mail {
  const { name, scopes } = input.key;
  return noticeMail({
    ...input,
    subject: 'A secret key was created for your account',
    lead: `With the new secret key “${name}”, a program can ${scopes.map((scope) => SCOPE_MEANS[scope]).join('; ')}. If this was not you, revoke it on your account page and choose a new password at once.`,
    note: '',
    button: openAccount(input.origin),
  });
}

/** Time to notice, before money leaves. */
function describeHold({ holdsPayouts }: Holding): string {
  return holdsPayouts ? ' For three days, no payout can be asked for or sent.' : '';
}

/** An intruder who added one of these would still have access. */
function describeRemaining({ passkeys, secretKeys, providers }: RemainingKeys): string {
  const keys = [count(passkeys, 'passkey'), count(secretKeys, 'secret key')].filter(Boolean);
  const kept =
    keys.length > 0
      ? ` These still give access to it: ${keys.join(' and ')}. Remove any that you do not recognize on your account page.`
      : '';
  if (providers.length === 0) return kept;
  return `${kept} Signing in with ${providers.join(' or ')} still works: if you do not use that, contact us.`;
}

function count(number: number, what: string): string | null {
  if (number === 0) return null;
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
