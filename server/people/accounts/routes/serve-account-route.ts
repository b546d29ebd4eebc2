import type { FastifyReply, FastifyRequest } from 'fastify';
import { readFact } from '../../../../contract/fact.ts';
import { addressKey, RateLimited, type RateLimits } from '../../../edge/http/rate-limits.ts';
import type { MethodsAt } from '../../../edge/http/refuse-methods.ts';
import { DomainError } from '../../../ground/lib/domain-error.ts';
import type { MailAllowance } from '../mail-allowance.ts';
import {
  ACCOUNT_ROUTES,
  type AccountLimit,
  type AccountRoute,
  codesSent,
} from './account-routes.ts';
import { type AuthAnswer, type AuthContext, callAuth, relay } from './call-auth.ts';
import type { KnownDevices } from './known-devices.ts';
import { logFailedSignIn, SIGN_INS } from './log-failed-sign-in.ts';

export interface AccountsContext extends AuthContext {
  limits: RateLimits;
  /** Null if no email leaves this machine. */
  mailAllowance: MailAllowance | null;
  /** The label of the user pool that is the only way in; null when there are others. */
  onlyPool: string | null;
  /**
   * The account of who is signed in, with the session, or owes the second factor in this browser,
   * without one.
   */
  findAccount(headers: {
    authorization?: string;
    cookie?: string;
  }): Promise<{ email: string; sessionId: string | null } | null>;
  knownDevices: KnownDevices;
  methodsAt: MethodsAt;
}

/** What is asked of a route of the account library. */
export interface AccountCall {
  path: string;
  body: unknown;
}

/** The handler of one reachable route of the account library: checked, limited, relayed. */
export function serveAccountRoute(path: string, context: AccountsContext) {
  return async (request: FastifyRequest, reply: FastifyReply) =>
    relay(reply, await runAccountRoute(context, request, reply, { path, body: request.body }));
}

/**
 * Asks the account library for the visitor, whichever way the request came. Only what makes the
 * browser known is written to `reply`.
 * @throws DomainError INVALID_INPUT; RateLimited
 */
export async function runAccountRoute(
  context: AccountsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, body: given }: AccountCall,
): Promise<AuthAnswer> {
  const route = ACCOUNT_ROUTES[path];
  if (!route) throw new Error(`There is no account route ${path}`);
  const body = route.body && readBody(route.body, given);
  const address = addressKey(request.ip);
  const method = route.libraryMethod ?? route.method ?? 'POST';
  const ask = () => callAuth(context, request, { method, path, body });
  const call = route.mailsUnproven?.(body ?? {})
    ? () => withinMailAllowance(context.mailAllowance, address, ask)
    : ask;
  const answer = await serve();
  await rememberDevice(context, request, reply, answer);
  return answer;

  async function serve(): Promise<AuthAnswer> {
    if (!route?.limits && !route?.isAnonymous) return call();
    await context.limits.take('accountRequests', address);
    if (!route.limits) {
      const answered = await call();
      if (SIGN_INS.has(path)) logFailedSignIn(request, answered);
      return answered;
    }
    const limits = Array.isArray(route.limits) ? route.limits : route.limits(body ?? {});
    const asker = await findAsker(context, request, address, body);
    const answered = await limited(context.limits, limits, asker, call);
    if (SIGN_INS.has(path)) logFailedSignIn(request, answered, asker.account);
    if (answered.code === 'EMAIL_NOT_VERIFIED') await resendCode(context, request, asker);
    // Whoever has the mailbox gets in by the new password, whatever strangers do meanwhile.
    const isRecovered = path === 'email-otp/reset-password' && answered.code === null;
    if (isRecovered) context.knownDevices.remember(request, reply, asker.account);
    return answered;
  }
}

async function findAsker(
  { findAccount, knownDevices }: AccountsContext,
  request: FastifyRequest,
  address: string,
  body: { email?: string; newEmail?: string } = {},
): Promise<Asker> {
  const found = body.email ? null : await findAccount(request.headers);
  // Who names nobody is counted by address: no try goes uncounted.
  const account = body.email ?? found?.email ?? address;
  return {
    account,
    address,
    ...(body.newEmail && { newEmail: body.newEmail }),
    sessionId: found?.sessionId ?? null,
    deviceId: knownDevices.find(request, account),
  };
}

/** A browser in which somebody has just signed in, whichever way, is known to the account. */
export async function rememberDevice(
  { findAccount, knownDevices }: AccountsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { headers }: AuthAnswer,
): Promise<void> {
  const token = headers.get('set-auth-token');
  const account = token && (await findAccount({ authorization: `Bearer ${token}` }));
  if (account) knownDevices.remember(request, reply, account.email);
}

/** An attempt takes from the account's allowance first, so that parallel ones cannot slip through. */
async function limited(
  limits: RateLimits,
  [limit, ...others]: AccountLimit[],
  asker: Asker,
  call: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  if (!limit) return call();
  const goOn = () => limited(limits, others, asker, call);
  const key = limitKey(limit, asker);
  if (key === null) return goOn();
  return keepIf(limit.counts, await limits.take(limit.name, ...key), goOn);
}

/** Gives back what a call has taken from an allowance, unless its answer counts. */
export async function keepIf(
  counts: (answer: AuthAnswer) => boolean,
  giveBack: () => unknown,
  call: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  let isKept = false;
  try {
    const answer = await call();
    isKept = counts(answer);
    return answer;
  } finally {
    if (!isKept) await giveBack();
  }
}

function readBody(schema: NonNullable<AccountRoute['body']>, body: unknown) {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const named = issue && issue.path.length > 0;
  if (!named) throw new DomainError('INVALID_INPUT', 'The body is not a JSON object.');
  throw new DomainError('INVALID_INPUT', readFact(issue.message));
}

/** Who sends a request about an account. */
interface Asker {
  /** The email address of the account, or the network address where nobody is named. */
  account: string;
  /** The network address, as it is counted. */
  address: string;
  newEmail?: string;
  /** The session that the request acts by. */
  sessionId: string | null;
  /** The browser, if the account knows it. */
  deviceId: string | null;
}

/**
 * What a limit counts by: an account, for one use of its codes, and one visitor or all strangers.
 * With where the visitor is: an account's total holds however many networks its strangers have.
 * @returns null where it does not count who asks: a session has its own tries alone.
 */
export function limitKey(limit: AccountLimit, asker: Asker): [of: string, from?: string] | null {
  const account = limit.of ? asker[limit.of] : asker.account;
  // An account may be a tool to guess the code to an address that is somebody else's.
  const isKnown = !limit.of && limit.use !== 'change';
  const { sessionId, deviceId } = isKnown ? asker : { sessionId: null, deviceId: null };
  if (limit.isOfVisitor) {
    const visitor = sessionId ?? deviceId ?? asker.address;
    return [JSON.stringify([account, limit.use, visitor]), asker.address];
  }
  if (sessionId) return null;
  // All known browsers together, for whoever gets in once could make many known.
  return [JSON.stringify([account, limit.use, deviceId !== null])];
}

/** Mails a new code to who signed in before confirming the address; silent when there were many. */
async function resendCode(
  context: AccountsContext,
  request: FastifyRequest,
  asker: Asker,
): Promise<void> {
  const { limits, mailAllowance } = context;
  try {
    for (const limit of codesSent('confirm')) {
      const key = limitKey(limit, asker);
      if (key) await limits.take(limit.name, ...key);
    }
    await withinMailAllowance(mailAllowance, asker.address, () =>
      callAuth(context, request, {
        method: 'POST',
        path: 'email-otp/send-verification-otp',
        body: { email: asker.account, type: 'email-verification' },
      }),
    );
  } catch (error) {
    if (error instanceof RateLimited) return;
    throw error;
  }
}

const NO_MORE_MAILS = 'No more codes can be sent today. Please try again tomorrow.';

/**
 * Refused alike for every address, known or not: whether it was mailed at all is not told either.
 * @throws RateLimited when no more may be mailed today
 */
async function withinMailAllowance(
  allowance: MailAllowance | null,
  visitor: string,
  call: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  if (!allowance) return call();
  const giveBack = await allowance.take(visitor);
  if (!giveBack) throw new RateLimited(allowance.renewedIn(), NO_MORE_MAILS);
  return keepIf(({ status }) => status === 200, giveBack, call);
}
