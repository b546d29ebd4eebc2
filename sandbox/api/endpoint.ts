import { z } from 'zod';
import type { Scope } from '../scope.ts';
import { text } from './param-types.ts';

/** The ids in an endpoint's path; which of them there are, the path itself says. */
export interface PathIds {
  id: string;
  reversal: string;
}

/** One operation of the provider's API: where it is, what it takes, and what it does. */
export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  shape: z.ZodObject;
  run(scope: Scope, params: object, ids: PathIds): object;
}

const everywhere = { expand: z.array(text()).default([]) };
export type EveryParams = z.infer<z.ZodObject<typeof everywhere>>;

/** Declares an operation; every one also takes `expand`. */
export function endpoint<S extends z.ZodRawShape>(
  method: Endpoint['method'],
  path: string,
  shape: S,
  run: (scope: Scope, params: z.infer<z.ZodObject<S>>, ids: PathIds) => object,
): Endpoint {
  return {
    method,
    path,
    shape: z.strictObject({ ...shape, ...everywhere }),
    run: run as Endpoint['run'],
  };
}
