import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '../../domain/accounts/viewer.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { addressKey, type RateLimits } from '../rate-limits.ts';
import type { AccountLimit, AccountRoute } from './account-routes.ts';
import { type AuthAnswer, type AuthHandler, callAuth, relay } from './call-auth.ts';
import { limitKey } from './limit-key.ts';
import { resendCode } from './resend-code.ts';

export interface AccountsDependencies {
  auth: AuthHandler;
  /** Origin without a trailing slash. */
  publicUrl: string;
  limits: RateLimits;
  /** The label of the user pool that is the only way in; null when there are others. */
  onlyPool: string | null;
  findViewer(request: FastifyRequest): Promise<Viewer>;
  /** The e-mail address of who is signed in or owes the second factor in this browser. */
  findAccount(headers: { authorization?: string; cookie?: string }): Promise<string | null>;
  publishableKey: string;
}

/** The handler of one reachable route of the account library: checked, limited, relayed. */
export function serveAccountRoute(path: string, route: AccountRoute, deps: AccountsDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const body = route.body && readBody(route.body, request.body);
    const call = () => callAuth(deps.auth, deps.publicUrl, request, { ...route, path, body });
    if (!route.limits && !route.isAnonymous) return relay(reply, await call());

    const address = addressKey(request.ip);
    await deps.limits.take('accountRequests', address);
    if (!route.limits) return relay(reply, await call());
    const limits = Array.isArray(route.limits) ? route.limits : route.limits(body ?? {});
    // Who names nobody is counted by address: no try goes uncounted.
    const account = String(body?.email ?? (await deps.findAccount(request.headers)) ?? address);
    const answer = await limited(deps.limits, limits, { account, address, ...body }, call);
    if (answer.code === 'EMAIL_NOT_VERIFIED') await resendCode(deps, request, account);
    return relay(reply, answer);
  };
}

/** An attempt takes from the account's allowance first, so that parallel ones cannot slip through. */
async function limited(
  limits: RateLimits,
  [limit, ...others]: AccountLimit[],
  whose: { account: string; address: string; newEmail?: string },
  call: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  if (!limit) return call();
  const goOn = () => limited(limits, others, whose, call);
  const key = limitKey(limit, String(whose[limit.of ?? 'account']), whose.address);
  const giveBack = await limits.take(limit.name, key);
  let counts = false;
  try {
    const answer = await goOn();
    counts = limit.counts(answer);
    return answer;
  } finally {
    if (!counts) await giveBack();
  }
}

function readBody(schema: NonNullable<AccountRoute['body']>, body: unknown) {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const named = issue && issue.path.length > 0;
  throw new DomainError('INVALID_INPUT', named ? issue.message : 'The body is not a JSON object.');
}
