import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '../../domain/accounts/viewer.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { addressKey, type RateLimits } from '../rate-limits.ts';
import type { AccountRoute } from './account-routes.ts';
import { type AuthAnswer, type AuthHandler, callAuth, relay } from './call-auth.ts';
import { resendCode } from './resend-code.ts';

export interface AccountsDependencies {
  auth: AuthHandler;
  /** Origin without a trailing slash. */
  publicUrl: string;
  limits: RateLimits;
  /** The label of the user pool that is the only way in; null when there are others. */
  onlyPool: string | null;
  findViewer(request: FastifyRequest): Promise<Viewer>;
  /** The address of the account that owes its second factor in this browser. */
  findPendingSignIn(headers: { cookie?: string }): Promise<string | null>;
}

/** The handler of one reachable route of the account library: checked, limited, relayed. */
export function serveAccountRoute(path: string, route: AccountRoute, deps: AccountsDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const body = route.body && readBody(route.body, request.body);
    const call = () => callAuth(deps.auth, deps.publicUrl, request, { ...route, path, body });
    if (!route.limits && !route.isAnonymous) return relay(reply, await call());

    await deps.limits.take('accountRequests', addressKey(request.ip));
    if (!route.limits) return relay(reply, await call());
    const account =
      body?.email ??
      (await deps.findViewer(request)).user?.email ??
      (await deps.findPendingSignIn(request.headers));
    const answer = await limited(deps.limits, route.limits, { account, ...body }, call);
    if (answer.code === 'EMAIL_NOT_VERIFIED') await resendCode(deps, request, String(account));
    return relay(reply, answer);
  };
}

/** An attempt takes from the account's allowance first, so that parallel ones cannot slip through. */
async function limited(
  limits: RateLimits,
  [limit, ...others]: NonNullable<AccountRoute['limits']>,
  whose: { account?: unknown; newEmail?: unknown },
  call: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  if (!limit) return call();
  const goOn = () => limited(limits, others, whose, call);
  const key = whose[limit.of ?? 'account'];
  if (typeof key !== 'string') return goOn();
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
