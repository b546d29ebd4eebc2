import type { PathIds } from './endpoint.ts';

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
