import type { Books } from '../books.ts';
import type { Scope } from '../scope.ts';
import { StripeError } from '../stripe-error.ts';
import type { Call, Reply } from './call.ts';
import type { Endpoint, EveryParams } from './endpoint.ts';
import { expandObject } from './expand-object.ts';
import { parseParams } from './parse-params.ts';
import { replay } from './replay.ts';

/**
 * Answers one request in one transaction.
 * @throws StripeError
 */
export function serveEndpoint(books: Books, endpoint: Endpoint, call: Call): Reply {
  return books.transact(
    (platform) => {
      const scope = actFor(platform, call.account);
      if (call.idempotencyKey === null) {
        return perform(scope, endpoint, call, parseParams(endpoint.shape, call.params));
      }
      return performOnce(books, scope, endpoint, call, call.idempotencyKey);
    },
    { id: call.requestId, idempotency_key: call.idempotencyKey },
  );
}

/**
 * Keeps the answer under the idempotency key, so that a repetition gets the same one. As at the
 * provider that includes refusals, but not those of parameters, with which nothing was begun.
 */
function performOnce(
  books: Books,
  scope: Scope,
  endpoint: Endpoint,
  call: Call,
  key: string,
): Reply {
  const earlier = books.replies.find(call.account, key);
  if (earlier) return replay(earlier, call, key);
  const params = parseParams(endpoint.shape, call.params);
  const reply = refusalAsReply(() => books.attempt(() => perform(scope, endpoint, call, params)));
  books.replies.forgetOld(scope.now);
  books.replies.save(call.account, key, { ...call, ...reply }, scope.now);
  return reply;
}

function perform(scope: Scope, endpoint: Endpoint, call: Call, parsed: object): Reply {
  const { expand, ...params } = parsed as EveryParams;
  const object = endpoint.run(scope, params, call.ids);
  expandObject(scope, object, expand);
  return { status: 200, body: JSON.stringify(object, null, 2) };
}

function refusalAsReply(work: () => Reply): Reply {
  try {
    return work();
  } catch (error) {
    if (error instanceof StripeError) return { status: error.status, body: JSON.stringify(error) };
    throw error;
  }
}

function actFor(platform: Scope, account: string | null): Scope {
  if (account !== null && !platform.objects.find('account', account)) {
    throw new StripeError(403, {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message: `The provided key does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`,
    });
  }
  return platform.forAccount(account);
}
