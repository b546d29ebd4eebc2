import { isDeepStrictEqual } from 'node:util';
import type { IdempotentReply } from '../store/idempotent-replies.ts';
import { StripeError } from '../stripe-error.ts';
import type { Call, Reply } from './call.ts';

/**
 * Answers a request as it was answered before under its idempotency key.
 * @throws StripeError when it is another request than then
 */
export function replay(earlier: IdempotentReply, call: Call, key: string): Reply {
  if (earlier.path !== call.path) {
    throw keyReuse(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${call.path}' vs '${earlier.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  if (!isDeepStrictEqual(earlier.params, call.params)) {
    throw keyReuse(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  return { status: earlier.status, body: earlier.body, originalRequest: earlier.requestId };
}

function keyReuse(message: string): StripeError {
  return new StripeError(400, { type: 'idempotency_error', message });
}
