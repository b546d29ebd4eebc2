import type { FastifyReply, FastifyRequest } from 'fastify';
import { fact, putIntoEnglish, readFact, type Said, texts } from '../../../../contract/fact.ts';
import { PASSWORD_MAX_LENGTH } from '../../../../contract/limits.ts';
import { factBeside, titleOf } from '../../../edge/http/errors.ts';
import { CLIENT_ADDRESS_HEADER } from '../find-account.ts';

/** The account library, as the routes use it. */
export interface AuthContext {
  auth: { handler(request: Request): Promise<Response> };
  /** Origin without a trailing slash. */
  publicUrl: string;
}

export interface AuthAnswer {
  status: number;
  /** Set on a refusal. */
  code: string | null;
  headers: Headers;
  body: string;
  /** What a refusal tells a person. */
  said?: Said;
}

/** What the library reads of a request; a client's own word on its address is not among it. */
const FORWARDED = [
  'accept-language',
  'authorization',
  'cookie',
  'origin',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
] as const;
/** What the library answers with another status although the visitor's input was the cause. */
const INPUT_FAULTS = new Set(['FAILED_TO_VERIFY_REGISTRATION', 'INVALID_OTP']);
/** Only an account has had a code: that one is over is told like one that never was. */
const CODES_THAT_WERE = new Set(['OTP_EXPIRED', 'TOO_MANY_ATTEMPTS']);
const MAX_USER_AGENT_LENGTH = 256;

/** Runs one of the library's routes for the visitor who sent `request`. */
export async function callAuth(
  { auth, publicUrl }: AuthContext,
  request: FastifyRequest,
  call: { method: 'GET' | 'POST'; path: string; body?: object },
): Promise<AuthAnswer> {
  const response = await auth.handler(
    new Request(`${publicUrl}/api/auth/${call.path}`, {
      method: call.method,
      headers: headersFor(request, publicUrl),
      body: call.method === 'POST' ? JSON.stringify(call.body ?? {}) : undefined,
    }),
  );
  const body = await response.text();
  if (response.ok) return { status: response.status, code: null, headers: response.headers, body };
  const refusal = refusalOf(body);
  const status = INPUT_FAULTS.has(refusal.code) ? 400 : response.status;
  return { status, headers: response.headers, ...refusal };
}

/** Answers the visitor with what the library answered. */
export function relay(reply: FastifyReply, answer: AuthAnswer): FastifyReply {
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') reply.header(name, value);
  }
  reply.header('set-cookie', answer.headers.getSetCookie());
  const { status, code } = answer;
  if (code !== null) return sendRefusal(reply, { status, code, said: answer.said });
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(answer.body);
}

function headersFor(request: FastifyRequest, publicUrl: string): Headers {
  const headers = new Headers({ 'content-type': 'application/json', origin: publicUrl });
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  headers.set('user-agent', (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH));
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  return headers;
}

function refusalOf(body: string): { code: string; body: string; said?: Said } {
  const { code: given = 'INTERNAL_SERVER_ERROR', message } = parse(body);
  const code = CODES_THAT_WERE.has(given) ? 'INVALID_OTP' : given;
  // The library takes only text along: what is ours of it may be a fact.
  const said = MESSAGES[code] ?? (message === undefined ? undefined : readFact(message));
  return { code, body, ...(said !== undefined && { said }) };
}

function parse(body: string): { code?: string; message?: string } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

/** The library's refusals in the words of the product; others have its own. */
const MESSAGES: Partial<Record<string, Said>> = texts({
  ACCOUNT_SUSPENDED:
    'The operator of this site has suspended this account. The reason is in the email that was sent to its address.',
  ADDRESS_NOT_CONFIRMED: 'Confirm your email address first: sign in with your password.',
  ADDRESS_OF_PROVIDER:
    'You sign in through another service, which manages your email address. Change it there.',
  AUTHENTICATION_FAILED: 'The passkey could not be checked. Please try again.',
  CHALLENGE_NOT_FOUND: 'This took too long. Please try again.',
  EMAIL_NOT_VERIFIED: 'Confirm your email address first, with the code we sent you.',
  FAILED_TO_VERIFY_REGISTRATION: 'The passkey could not be checked. Please try again.',
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side. Please try again.',
  INVALID_BACKUP_CODE: 'This backup code is wrong or has been used.',
  INVALID_CODE: 'This code is wrong or has been used. Enter the current one from your app.',
  INVALID_EMAIL_OR_PASSWORD: 'The email address or password is wrong.',
  INVALID_OTP: 'This code is wrong, expired, or replaced by a newer one.',
  INVALID_PASSWORD: 'The current password is wrong.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in took too long. Sign in again.',
  INVITATION_REQUIRED:
    'Accounts here are by invitation. Ask the operator of this site to invite this address.',
  NOT_CONFIRMED: 'Type the email address of your account to confirm.',
  PASSKEY_NOT_FOUND: 'This passkey is not registered here. It may have been removed.',
  PASSWORD_TOO_LONG: fact('The password can have at most {limit} characters.', {
    limit: PASSWORD_MAX_LENGTH,
  }),
  PREVIOUSLY_REGISTERED: 'This passkey has already been added.',
  PROVIDER_NOT_FOUND: 'This way to sign in is not available here.',
  SAME_EMAIL: 'This is already your email address.',
  SESSION_NOT_FRESH: 'Sign in again first.',
  SIGN_UP_CLOSED: 'No new accounts can be created on this site.',
  SIGN_UP_REPLACED: 'Someone signed up with this address after you. Sign up again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Sign in again.',
  TOTP_ALREADY_ENABLED: 'Two-factor sign-in is already on.',
  TOTP_NOT_ENABLED: 'Two-factor sign-in is not set up yet.',
  UNAUTHORIZED: 'Sign in first.',
  USER_NOT_VERIFIED:
    'Your device did not ask for your fingerprint, face or PIN, which is required here.',
});

/**
 * Answers with a problem whose code is one of the account library's, and whose words stand under
 * its own name as well: clients of the library read `message`.
 */
export function sendRefusal(
  reply: FastifyReply,
  { status, code, said }: { status: number; code: string; said: Said | undefined },
): FastifyReply {
  const message = said && putIntoEnglish(said);
  return reply
    .code(status)
    .type('application/problem+json')
    .header('cache-control', 'no-store')
    .send({
      type: 'about:blank',
      title: titleOf(status),
      status,
      detail: message,
      code,
      message,
      ...factBeside(said),
      requestId: reply.request.id,
    });
}
