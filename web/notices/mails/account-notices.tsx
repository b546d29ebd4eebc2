import type { SecretKeyDetails } from '../../../contract/account-details.ts';
import type { Mail, MailInput, OwnerFacts } from '../../../contract/mails.ts';
import { SCOPE_MEANS } from '../../../contract/secret-key-scopes.ts';
import { say } from '../../languages/say.ts';
import { sayCount, sayList } from '../../lib/format.ts';
import { openAccount, signIn } from './buttons.ts';
import { noticeMail } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    accountExists: OwnerFacts;
    /** `byCode`: with a code from this mailbox, which ends more than a change does. */
    passwordChanged: OwnerFacts & Holding & { byCode: boolean; remaining: RemainingKeys };
    emailChanged: OwnerFacts & Holding & { newEmail: string };
    accountDeleted: OwnerFacts;
    twoFactorOff: OwnerFacts;
    passkeyAdded: OwnerFacts;
    secretKeyCreated: OwnerFacts & { key: Pick<SecretKeyDetails, 'name' | 'scopes'> };
  }
}

/** Whether the account is one that payouts go to, which are held after such a change. */
interface Holding {
  holdsPayouts: boolean;
}

/** What still gives access to an account after its password was changed. */
interface RemainingKeys {
  passkeys: number;
  secretKeys: number;
  /** The sign-in services its owner uses: "GitHub". */
  providers: string[];
}

/**
 * Sent when someone signs up with an address that has an account: the form itself never reveals it.
 */
export function accountExists(input: MailInput<'accountExists'>): Mail {
  return noticeMail({
    ...input,
    subject: say('You already have an account at {site}', { site: input.siteName }),
    lead: say('Someone, probably you, tried to sign up with this address. You can simply sign in.'),
    note: say('Forgot your password? Choose a new one on the sign-in page. Nothing has changed.'),
    button: signIn(input.origin),
  });
}

export function passwordChanged(input: MailInput<'passwordChanged'>): Mail {
  const change = say(
    input.byCode
      ? 'The password of your account has just been changed with a code from this mailbox. All devices were signed out and all secret keys revoked.'
      : 'The password of your account has just been changed.',
  );
  return noticeMail({
    ...input,
    subject: say('Your {site} password was changed', { site: input.siteName }),
    lead: `${change}${describeRemaining(input.remaining)}${describeHold(input)}`,
    note: say(
      'If this was not you, choose a new password at once with “Forgot your password?” on the sign-in page.',
    ),
    button: signIn(input.origin),
  });
}

/** Sent to the old address. */
export function emailChanged(input: MailInput<'emailChanged'>): Mail {
  const change = say(
    'You now sign in with {email}. This address no longer belongs to your account.',
    { email: input.newEmail },
  );
  return noticeMail({
    ...input,
    subject: say('Your {site} email address was changed', { site: input.siteName }),
    lead: `${change}${describeHold(input)}`,
    note: say('If this was not you, someone else knows your password: contact us at once.'),
  });
}

export function accountDeleted(input: MailInput<'accountDeleted'>): Mail {
  return noticeMail({
    ...input,
    subject: say('Your {site} account was deleted', { site: input.siteName }),
    lead: say(
      'Your account, your name and your links were deleted. Your buyers keep what they bought.',
    ),
    note: say('You can still open your own purchases with the personal links in your receipts.'),
  });
}

export function twoFactorOff(input: MailInput<'twoFactorOff'>): Mail {
  return noticeMail({
    ...input,
    subject: say('Two-factor sign-in was turned off'),
    lead: say('Signing in to your account no longer asks for a code from your app.'),
    note: say(
      'If this was not you, someone else knows your password: choose a new one at once, with “Forgot your password?”, and turn two-factor sign-in on again.',
    ),
    button: signIn(input.origin),
  });
}

export function passkeyAdded(input: MailInput<'passkeyAdded'>): Mail {
  return noticeMail({
    ...input,
    subject: say('A passkey was added to your account'),
    lead: say(
      'A device can now sign in to your account with a passkey, without your password. If this was not you, remove it on your account page and choose a new password at once.',
    ),
    note: '',
    button: openAccount(input.origin),
  });
}

export function secretKeyCreated(input: MailInput<'secretKeyCreated'>): Mail {
  const { name, scopes } = input.key;
  return noticeMail({
    ...input,
    subject: say('A secret key was created for your account'),
    lead: say(
      'With the new secret key “{name}”, a program can {powers}. If this was not you, revoke it on your account page and choose a new password at once.',
      { name, powers: scopes.map((scope) => say(SCOPE_MEANS[scope])).join('; ') },
    ),
    note: '',
    button: openAccount(input.origin),
  });
}

/** Time to notice, before money leaves. */
function describeHold({ holdsPayouts }: Holding): string {
  return holdsPayouts ? ` ${say('For three days, no payout can be requested or sent.')}` : '';
}

/** An intruder who added one of these would still have access. */
function describeRemaining({ passkeys, secretKeys, providers }: RemainingKeys): string {
  const keys = [
    passkeys > 0 && sayCount(passkeys, '1 passkey', '{count} passkeys'),
    secretKeys > 0 && sayCount(secretKeys, '1 secret key', '{count} secret keys'),
  ].filter((key) => key !== false);
  const kept =
    keys.length > 0 &&
    say(
      'These still give access to it: {keys}. Remove any that you do not recognize on your account page.',
      { keys: sayList(keys, '{list} and {next}') },
    );
  const others =
    providers.length > 0 &&
    say('Signing in with {services} still works: if you do not use that, contact us.', {
      services: sayList(providers, '{list} or {next}'),
    });
  return [kept, others].map((sentence) => (sentence ? ` ${sentence}` : '')).join('');
}
