import { z } from 'zod';
import { holdsControls, isBlank, isLongerThan } from '../../../../contract/characters.ts';
import { fact, keepFact } from '../../../../contract/fact.ts';
import type { LimitName } from '../../../edge/http/rate-limits.ts';
import { accountAddress } from '../account-address.ts';
import { readBackupCode } from '../backup-codes.ts';
import type { AuthAnswer } from './call-auth.ts';

export interface AccountRoute {
  /** POST unless it says otherwise. */
  method?: 'GET';
  /** How the library knows the route, where it reads what it should not be asked for by GET. */
  libraryMethod?: 'GET';
  /** What the library gets to see of the body; everything else is dropped. */
  body?: z.ZodType<Record<string, unknown>>;
  /** The allowances that a try takes from; each is given back unless the try counts. */
  limits?: AccountLimit[] | ((body: Record<string, unknown>) => AccountLimit[]);
  /** Counted by network address alone: nobody knows yet whose account it is about. */
  isAnonymous?: boolean;
  /** It mails an address that nobody may have proven. */
  mailsUnproven?: (body: Record<string, unknown>) => boolean;
}

/** What a mailed code is for. */
type CodeUse = 'confirm' | 'reset' | 'change';

export interface AccountLimit {
  name: LimitName;
  /** Whose allowance; by default that of the account which the request is about. */
  of?: 'newEmail';
  /** Counts this use of codes apart from others. */
  use?: CodeUse;
  /** Counts each visitor alone; otherwise all strangers together. */
  isOfVisitor?: true;
  counts(answer: AuthAnswer): boolean;
}

const email = accountAddress('Enter a valid email address.', 'Enter an email address.');
const password = z.string('Enter a password.').min(1, 'Enter a password.');
const otp = z
  .string('Enter the code.')
  .max(64, 'Enter the code.')
  .transform((code) => code.replace(/\s/g, ''));

const MAX_PASSKEY_NAME_LENGTH = 64;

const passkeyName = z
  .string('Give the passkey a name.')
  .transform((name) => name.normalize('NFC').trim())
  .refine((name) => !isBlank(name), 'Give the passkey a name.')
  .refine(
    (name) => !isLongerThan(name, MAX_PASSKEY_NAME_LENGTH),
    keepFact(
      fact('The name can have at most {limit} characters.', { limit: MAX_PASSKEY_NAME_LENGTH }),
    ),
  )
  .refine((name) => !holdsControls(name), 'The name contains invisible control characters.');

const passkeyId = z.string('Give the id of the passkey.');

/** What the browser's authenticator answered; the library reads the rest of it. */
const credential = z.looseObject({ id: z.string().max(2048) }, 'The passkey is missing.');
const firstName = z.string('First Name is required.');

/** One by visitor, and a higher one by account: nobody guesses faster by changing addresses. */
function twice(
  [ofVisitor, ofAccount]: [LimitName, LimitName],
  rest: Pick<AccountLimit, 'counts' | 'use'>,
): AccountLimit[] {
  return [
    { ...rest, name: ofVisitor, isOfVisitor: true },
    { ...rest, name: ofAccount },
  ];
}

const passwordFailures = twice(['passwordFailures', 'passwordFailuresOfAccount'], {
  counts: ({ code }) => code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_PASSWORD',
});

/** The limits of mailing codes for one use. */
export function codesSent(use: CodeUse): AccountLimit[] {
  const counts = ({ status }: AuthAnswer) => status === 200;
  return [
    // A mailbox is not to be flooded by asking in several ways.
    { name: 'codesSent', isOfVisitor: true, counts },
    { name: 'codesSentToAccount', use, counts },
  ];
}

function codeFailures(use: CodeUse): AccountLimit[] {
  return twice(['codeFailures', 'codeFailuresOfAccount'], {
    use,
    counts: ({ code }) => code === 'INVALID_OTP',
  });
}

const secondFactorFailures = twice(['secondFactorFailures', 'secondFactorFailuresOfAccount'], {
  counts: ({ code }) => code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE',
});

/** Each keeps a row until it is used or five minutes old. */
const passkeysAsked: AccountLimit[] = [
  { name: 'passkeysAsked', isOfVisitor: true, counts: ({ status }) => status === 200 },
];

/** The routes of the account library that are reachable. A path that is missing here answers 404. */
export const ACCOUNT_ROUTES: Record<string, AccountRoute> = {
  ok: { method: 'GET' },
  'sign-up/email': {
    body: z.object({ email, password, firstName }).transform(withName),
    limits: codesSent('confirm'),
    mailsUnproven: () => true,
  },
  'email-otp/send-verification-otp': {
    body: z.object({
      email,
      type: z.enum(['email-verification', 'forget-password'], 'Unknown code type.'),
    }),
    limits: ({ type }) => codesSent(type === 'forget-password' ? 'reset' : 'confirm'),
    mailsUnproven: ({ type }) => type === 'email-verification',
  },
  'email-otp/verify-email': { body: z.object({ email, otp }), limits: codeFailures('confirm') },
  'sign-in/email': {
    body: z.object({ email, password }),
    limits: [...passwordFailures, { name: 'signIns', counts: ({ status }) => status === 200 }],
  },
  'sign-in/social': {
    body: z
      .object({
        provider: z.string('Name the provider to sign in with.'),
        callbackURL: z.string().default('/dashboard'),
      })
      .transform(({ provider, callbackURL }) => ({
        provider,
        callbackURL,
        errorCallbackURL: `/login?${new URLSearchParams({ next: callbackURL })}`,
        disableRedirect: true,
      })),
    isAnonymous: true,
  },
  // Where the user pool leads back to, if it ends its session as well.
  'sign-out': { body: z.object({}).transform(() => ({ callbackURL: '/', disableRedirect: true })) },
  'email-otp/request-password-reset': { body: z.object({ email }), limits: codesSent('reset') },
  'email-otp/reset-password': {
    body: z.object({ email, otp, password }),
    limits: codeFailures('reset'),
  },
  'change-password': {
    body: z.object({
      currentPassword: password,
      newPassword: password,
      revokeOtherSessions: z.boolean().optional(),
    }),
    limits: passwordFailures,
  },
  'update-user': { body: z.object({ firstName }).transform(withName) },
  'email-otp/request-email-change': {
    body: z.object({ newEmail: email, password: password.optional() }),
    limits: [
      ...passwordFailures,
      ...codesSent('change').map((limit) => ({ ...limit, of: 'newEmail' as const })),
    ],
    mailsUnproven: () => true,
  },
  'email-otp/change-email': {
    body: z.object({ newEmail: email, otp }),
    limits: codeFailures('change'),
  },
  'delete-user': {
    body: z.object({
      password: password.optional(),
      confirmation: z.string('Type the email address of your account to confirm.'),
    }),
    limits: passwordFailures,
  },
  'get-session': { method: 'GET' },
  'list-sessions': { method: 'GET' },
  'revoke-session': { body: z.object({ id: z.string('Give the id of the session.') }) },
  'revoke-other-sessions': {},
  'two-factor/enable': { body: z.object({ password }), limits: passwordFailures },
  'two-factor/disable': { body: z.object({ password }), limits: passwordFailures },
  'two-factor/verify-totp': { body: z.object({ code: otp }), limits: secondFactorFailures },
  'two-factor/verify-backup-code': {
    body: z.object({ code: otp.transform(readBackupCode) }),
    limits: secondFactorFailures,
  },
  'passkey/generate-register-options': { libraryMethod: 'GET', limits: passkeysAsked },
  'passkey/verify-registration': { body: z.object({ name: passkeyName, response: credential }) },
  'passkey/generate-authenticate-options': { libraryMethod: 'GET', limits: passkeysAsked },
  'passkey/verify-authentication': { body: z.object({ response: credential }), isAnonymous: true },
  'passkey/list-user-passkeys': { method: 'GET' },
  'passkey/update-passkey': { body: z.object({ id: passkeyId, name: passkeyName }) },
  'passkey/delete-passkey': { body: z.object({ id: passkeyId }) },
};

/** The library asks for a name; the product knows one name only. */
function withName<Body extends { firstName: string }>(body: Body): Body & { name: string } {
  return { ...body, name: body.firstName };
}
