import { z } from 'zod';
import type { Scope } from '../scope.ts';
import type { Kind } from '../store/kinds.ts';
import type { ListQuery } from '../store/objects.ts';
import { createdRange, integer, text } from './param-types.ts';

/** The ids in an endpoint's path; which of them there are, the path itself says. */
export interface PathIds {
  id: string;
  reversal: string;
}

/** One operation of the provider's API: where it is, what it takes, and what it does. */
export interface Endpoint {
  method: 'DELETE' | 'GET' | 'POST';
  path: string;
  shape: z.ZodObject;
  run(scope: Scope, params: object, ids: PathIds): object;
}

const everywhere = { expand: z.array(text()).default([]) };
export type EveryParams = Partial<z.infer<z.ZodObject<typeof everywhere>>>;

/** Whether a path is of the provider's API v2: JSON both ways, and errors of another shape. */
export function isV2(path: string): boolean {
  return path.startsWith('/v2/');
}

/** Declares an operation; every one of API v1 also takes `expand`. */
export function endpoint<S extends z.ZodRawShape>(
  method: Endpoint['method'],
  path: string,
  shape: S,
  run: (scope: Scope, params: z.infer<z.ZodObject<S>>, ids: PathIds) => object,
): Endpoint {
  return {
    method,
    path,
    shape: z.strictObject(isV2(path) ? shape : { ...shape, ...everywhere }),
    run: run as Endpoint['run'],
  };
}

/** One request to an endpoint, apart from how it came in. */
export interface Call {
  requestId: string;
  /** The path with its ids filled in. */
  path: string;
  ids: PathIds;
  params: Record<string, unknown>;
  idempotencyKey: string | null;
  /** The connected account of the `Stripe-Account` header. */
  account: string | null;
}

export interface Reply {
  status: number;
  body: string;
  /** The request that was answered like this first, when this one repeats it. */
  originalRequest?: string;
}

/** `GET path/:id`; `param` is what an error calls the id. */
export function retrieves(path: string, kind: Kind, param = 'id'): Endpoint {
  return endpoint('GET', `${path}/:id`, {}, (scope, _params, ids) =>
    scope.objects.get(kind, ids.id, param),
  );
}

/** What every list takes. */
export const listShape = {
  created: createdRange().optional(),
  ending_before: text().optional(),
  limit: integer(1, 100).default(10),
  starting_after: text().optional(),
};

/** What every list takes, and the fields that its objects must have. */
type ListParams = z.infer<z.ZodObject<typeof listShape>> & { [field: string]: unknown };

/** A page of the account's objects of a kind, newest first, in the provider's list shape. */
export function listPage(
  scope: Scope,
  kind: Kind,
  url: string,
  { created, ending_before, limit, starting_after, ...fields }: ListParams,
) {
  const { data, hasMore } = scope.objects.list(kind, {
    created,
    endingBefore: ending_before,
    fields: fields as ListQuery['fields'],
    limit,
    startingAfter: starting_after,
  });
  return { object: 'list', data, has_more: hasMore, url };
}

/** `GET path`: a list of objects, which can be found by these fields. */
export function lists(path: string, kind: Kind, fields: z.ZodRawShape = {}): Endpoint {
  return endpoint('GET', path, { ...listShape, ...fields }, (scope, params) =>
    listPage(scope, kind, path, params as ListParams),
  );
}
