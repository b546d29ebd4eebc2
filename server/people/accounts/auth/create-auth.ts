import { createHmac, randomUUID } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';
import { z } from 'zod';
import { keepFact } from '../../../../contract/fact.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { announce } from '../../../ground/database/transaction.ts';
import { CLIENT_ADDRESS_HEADER } from '../find-account.ts';
import { checkFirstName } from '../first-name.ts';
import { revokeSecretKeys } from '../secret-keys.ts';
import { deletionBy, deletionGuard } from './account-deletion.ts';
import { ACCOUNT_LANGUAGE, keepLanguage } from './account-language.ts';
import { addressProof, refuseReplacedSignUp } from './address-proof.ts';
import { CREDENTIALS_CHANGED_AT, withCredentialChanges } from './credential-changes.ts';
import { emailChange } from './email-change.ts';
import { withHashedSessions } from './hashed-sessions.ts';
import { type CodeOptions, mailedCodes } from './mailed-codes.ts';
import { accountNotices } from './mails.ts';
import { type AuthLog, isOutage, noteOutage, unmaskOutage } from './outages.ts';
import { bearerSessions, ownSessions, sessionCap } from './own-sessions.ts';
import { passkeys } from './passkeys.ts';
import { hashPassword, type PasswordCost, passwordPolicy, verifyPassword } from './passwords.ts';
import { LINKING, providerAccounts } from './provider-accounts.ts';
import { admission, type DoorOptions, findObstacle, signUpDoor } from './sign-up-door.ts';
import { authenticatorCodes, authenticatorRules } from './two-factor.ts';
import { namesOf, type UserPoolSettings, userPool } from './user-pool.ts';

interface AuthOptions extends CodeOptions {
  db: Database;
  databaseKind: 'sqlite' | 'postgres';
  /** Origin without a trailing slash. */
  publicUrl: string;
  siteName: string;
  userPool?: UserPoolSettings | null;
  socialSignIn?: SocialSettings;
  door?: DoorOptions;
  /** Of hashing a password, where it is not the usual one. */
  passwordCost?: PasswordCost | undefined;
}

export type Auth = ReturnType<typeof createAuth>;

/** Seconds. As long as a user pool's refresh token lives by default; it does not slide. */
const SESSION_LIFETIME = 30 * 24 * 60 * 60;

const firstName = z.unknown().transform((input, context) => {
  const checked = checkFirstName(input);
  if ('value' in checked) return checked.value;
  context.addIssue(keepFact(checked.fault));
  return z.NEVER;
});

/** The account library, set up for this product. Its tables are made by migrateAuth. */
export function createAuth(options: AuthOptions) {
  const { db, databaseKind, publicUrl, siteName, secret, log } = options;
  const auth = betterAuth({
    appName: siteName,
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [publicUrl],
    database: (settings: BetterAuthOptions) =>
      withCredentialChanges(
        withHashedSessions(kyselyAdapter(db, { type: databaseKind, transaction: true })(settings)),
      ),
    user: {
      additionalFields: {
        firstName: { type: 'string', required: true, validator: { input: firstName } },
        ...CREDENTIALS_CHANGED_AT,
        ...ACCOUNT_LANGUAGE,
      },
      deleteUser: deletionBy(db),
    },
    emailAndPassword: passwordSettings(options),
    socialProviders: socialSignIn(options.socialSignIn ?? {}),
    account: {
      accountLinking: LINKING,
      // Encrypted in the visitor's own cookie: going to a sign-in service and back writes no row.
      storeStateStrategy: 'cookie',
    },
    verification: { storeIdentifier: hashIdentifiers(secret) },
    emailVerification: {
      autoSignInAfterVerification: true,
      beforeEmailVerification: refuseReplacedSignUp,
    },
    session: { expiresIn: SESSION_LIFETIME, disableSessionRefresh: true },
    databaseHooks: {
      user: { create: { before: keepLanguage } },
      session: {
        delete: {
          after: async ({ userId }) =>
            announce(db, { kind: 'session-ended', id: userId, ownerId: userId }),
        },
      },
    },
    // The routes count by account as well as by address, which the library's own limit cannot.
    rateLimit: { enabled: false },
    plugins: listPlugins(options),
    telemetry: { enabled: false },
    logger: { level: 'warn', log: writeTo(log) },
    onAPIError: {
      errorURL: `${publicUrl}/login`,
      // By default, the library would write errors to the terminal, past the product's log.
      onError: (error) => {
        if (isAPIError(error) && error.statusCode < 500) return;
        // Answered and logged where all others are.
        if (isOutage(error)) throw error;
        log.error({ err: error }, 'an account request failed');
      },
    },
    advanced: advancedSettings(publicUrl),
  });
  const handler: typeof auth.handler = (request) =>
    unmaskOutage(
      () => auth.handler(request),
      (answer) => !answer.ok,
    );
  return { ...auth, handler };
}

/** What is added to the library, in the order in which it is asked. */
function listPlugins(options: AuthOptions) {
  const { db, publicUrl, secret, sendLetter, log } = options;
  const { door = { signUp: 'open', operatorEmails: [], secret } } = options;
  const codes = mailedCodes(options);
  return [
    bearerSessions,
    // Before whatever a sign-up changes.
    signUpDoor(db, door),
    codes,
    passwordPolicy(codes),
    addressProof,
    emailChange,
    ownSessions(db),
    deletionGuard,
    accountNotices(db, sendLetter, log),
    authenticatorCodes,
    // After these: with a second factor pending, a password alone signs nobody in.
    admission(db, door),
    sessionCap(db),
    authenticatorRules,
    passkeys(publicUrl),
    ...(options.userPool ? [userPool(options.userPool, log)] : []),
    providerAccounts({
      db,
      passwords: !options.userPool?.only,
      sendLetter,
      log,
      findObstacle: (email, visitor) => findObstacle(db, door, email, visitor),
    }),
    bearer(),
  ];
}

function passwordSettings({ db, passwordCost }: AuthOptions) {
  return {
    enabled: true,
    requireEmailVerification: true,
    revokeSessionsOnPasswordReset: true,
    // Someone who recovers an account cannot know who created the keys.
    onPasswordReset: ({ user }) => revokeSecretKeys({ db, now: Date.now }, user.id),
    // The policy counts characters itself, and names everything that is missing at once.
    minPasswordLength: 1,
    maxPasswordLength: Number.MAX_SAFE_INTEGER,
    password: {
      hash: (password) => hashPassword(password, passwordCost),
      verify: verifyPassword,
    },
  } satisfies BetterAuthOptions['emailAndPassword'];
}

/** Keeps out of the database what opens something by itself. */
function hashIdentifiers(secret: string) {
  return {
    // What a cookie names, the second step of a sign-in, and what an authenticator's code does.
    default: {
      hash: async (name: string) =>
        createHmac('sha256', `verification:${secret}`).update(name).digest('base64url'),
    },
    // Named by addresses, by which they are erased; the codes in them are hashed.
    overrides: {
      'email-verification-otp-': 'plain',
      'forget-password-otp-': 'plain',
      'change-email-otp-': 'plain',
    },
  } as const;
}

function advancedSettings(publicUrl: string) {
  const secure = publicUrl.startsWith('https://');
  return {
    // The library knows only the weaker __Secure- prefix: the name carries ours.
    cookiePrefix: secure ? '__Host-padlink' : 'padlink',
    useSecureCookies: false,
    defaultCookieAttributes: { secure },
    // Stated, because the library drops the check when it finds itself under test.
    disableOriginCheck: false,
    ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    // Sending is not awaited: its duration would reveal which addresses exist.
    backgroundTasks: { handler: () => {} },
    // The schema is migrateAuth's matter, which lists tables while no other process changes them.
    database: { generateId: () => randomUUID(), validateSchema: false },
  };
}

/**
 * The library warns about each wrong password and reports requests made up by strangers as errors:
 * both are routine. A real fault carries the error that caused it.
 */
function writeTo(log: AuthLog) {
  return (level: string, message: string, ...details: unknown[]): void => {
    const error = details.find((detail) => detail instanceof Error);
    noteOutage(error);
    const fields = error ? { err: error } : {};
    if (level === 'error' && error && !isStrangers(message, error))
      log.error(fields, `accounts: ${message}`);
    else log.debug?.(fields, `accounts: ${message}`);
  };
}

/**
 * For a return from a sign-in service that nobody was sent to. The library exports no such error.
 */
function isStrangers(message: string, error: Error): boolean {
  return message === 'INVALID_CALLBACK_REQUEST' || error.constructor.name === 'StateError';
}

type ClientCredentials = Pick<UserPoolSettings, 'clientId' | 'clientSecret'>;
type SocialSettings = Partial<Record<'google' | 'github', ClientCredentials | undefined>>;

/** The account library's own sign-in services that the operator has registered with. */
function socialSignIn({ google, github }: SocialSettings) {
  return {
    ...(google && { google: { ...google, mapProfileToUser: namesOf } }),
    ...(github && { github: { ...github, mapProfileToUser: namesOf } }),
  };
}
