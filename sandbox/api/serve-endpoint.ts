import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Books } from '../books.ts';
import { lineItemsOf } from '../operations/end-session.ts';
import type { Scope } from '../scope.ts';
import type { IdempotentReply } from '../store/idempotent-replies.ts';
import { invalidRequest, StripeError } from '../stripe-error.ts';
import { type Call, type Endpoint, type EveryParams, isV2, type Reply } from './endpoint.ts';

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
  const attempt = () => books.attempt(() => perform(scope, endpoint, call, params));
  // API v2 keeps no refusal: what is asked again is tried again.
  const reply = isV2(call.path) ? attempt() : refusalAsReply(attempt);
  books.replies.forgetOld(scope.now);
  books.replies.save(call.account, key, { ...call, ...reply }, scope.now);
  return reply;
}

function perform(scope: Scope, endpoint: Endpoint, call: Call, parsed: object): Reply {
  const { expand = [], ...params } = parsed as EveryParams;
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
    throw invalidRequest(
      `The provided key does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`,
      { code: 'account_invalid' },
      403,
    );
  }
  return platform.forAccount(account);
}

/**
 * Reads the parameters of a request by its shape.
 * @throws StripeError that names the first parameter at fault
 */
function parseParams<S extends z.ZodType>(shape: S, raw: unknown): z.infer<S> {
  const result = shape.safeParse(raw);
  if (result.success) return result.data;
  const { issues } = result.error;
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  throw refusal(unknown ?? (issues[0] as z.core.$ZodIssue), raw);
}

function refusal(issue: z.core.$ZodIssue, raw: unknown): StripeError {
  const param = paramName(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const names = issue.keys.map((key) => paramName([...issue.path, key]));
      const noun = names.length > 1 ? 'parameters' : 'parameter';
      return invalidRequest(`Received unknown ${noun}: ${names.join(', ')}`, {
        code: 'parameter_unknown',
        param: names[0] as string,
      });
    }
    case 'invalid_type':
    case 'invalid_value': {
      const given = valueAt(raw, issue.path);
      if (given === undefined) {
        return invalidRequest(`Missing required param: ${param}.`, {
          code: 'parameter_missing',
          param,
        });
      }
      if (issue.code === 'invalid_value') {
        const values = new Intl.ListFormat('en', { type: 'disjunction' }).format(
          issue.values.map(String),
        );
        return invalidRequest(`Invalid ${param}: must be one of ${values}`, { param });
      }
      return invalidRequest(`Invalid ${issue.expected}`, { param });
    }
    case 'too_small':
      return invalidRequest(
        `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
        { code: 'parameter_invalid_empty', param },
      );
    case 'too_big':
      return invalidRequest(
        `Invalid string: must be at most ${issue.maximum} characters long (${param})`,
        { param },
      );
    case 'custom':
      return invalidRequest(issue.message, { ...(issue.params as { code: string }), param });
    default:
      return invalidRequest(`Invalid parameter: ${param}`, { param });
  }
}

/** `['line_items', 0, 'price_data']` is called `line_items[0][price_data]` in a form. */
function paramName([first, ...rest]: PropertyKey[]): string {
  return String(first) + rest.map((part) => `[${String(part)}]`).join('');
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    raw,
  );
}

type Json = Record<string, unknown>;

/** Fields that hold an id and can be shown as the object itself. */
const REFERENCES: Record<string, string[]> = {
  balance_transaction: ['source'],
  charge: ['balance_transaction', 'failure_balance_transaction', 'payment_intent'],
  'checkout.session': ['payment_intent'],
  dispute: ['charge', 'payment_intent'],
  payment_intent: ['latest_charge', 'payment_method'],
  payout: ['balance_transaction', 'failure_balance_transaction'],
  refund: ['balance_transaction', 'charge', 'failure_balance_transaction', 'payment_intent'],
  transfer: ['balance_transaction'],
  transfer_reversal: ['balance_transaction', 'transfer'],
};

/** Lists that are left out unless asked for. */
const INCLUSIONS: Record<string, Record<string, (scope: Scope, id: string) => object>> = {
  charge: {
    refunds: (scope, charge) =>
      inlineList(
        scope.objects.list('refund', { limit: 100, fields: { charge } }).data,
        `/v1/charges/${charge}/refunds`,
      ),
  },
  'checkout.session': {
    line_items: (scope, id) =>
      inlineList(lineItemsOf(scope, id), `/v1/checkout/sessions/${id}/line_items`),
  },
};

const MOST_LEVELS = 4;

/**
 * Replaces the ids at the given paths (`data.latest_charge.balance_transaction`) by their objects.
 * @throws StripeError when a path leads to something that cannot be expanded
 */
function expandObject(scope: Scope, object: object, paths: string[]): void {
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > MOST_LEVELS) {
      throw invalidRequest('You cannot expand more than 4 levels of a property.', {
        param: 'expand',
      });
    }
    expandPath(scope, object as Json, steps, path);
  }
}

function expandPath(scope: Scope, target: Json, steps: string[], path: string): void {
  const [field, ...rest] = steps as [string, ...string[]];
  const kind = String(target.object);
  const include = INCLUSIONS[kind]?.[field];
  if (kind === 'list' && field === 'data') {
    for (const item of target.data as Json[]) {
      if (rest.length > 0) expandPath(scope, item, rest, path);
    }
    return;
  }
  if (include) target[field] ??= include(scope, String(target.id));
  else if (REFERENCES[kind]?.includes(field)) {
    if (typeof target[field] === 'string') target[field] = scope.objects.follow(target[field]);
  } else {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  const next = target[field];
  if (rest.length > 0 && next) expandPath(scope, next as Json, rest, path);
}

function inlineList(data: object[], url: string) {
  return { object: 'list', data, has_more: false, url };
}

/**
 * Answers a request as it was answered before under its idempotency key.
 * @throws StripeError when it is another request than then
 */
function replay(earlier: IdempotentReply, call: Call, key: string): Reply {
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
