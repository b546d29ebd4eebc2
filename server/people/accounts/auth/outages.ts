import { AsyncLocalStorage } from 'node:async_hooks';
import { cannotStore, remedyFor } from '../../../ground/lib/cannot-store.ts';
import { DomainError } from '../../../ground/lib/domain-error.ts';

/** What the account adapter needs from the product's log (pino's order of arguments). */
export interface AuthLog {
  debug?(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const calls = new AsyncLocalStorage<{ outage?: unknown }>();

/** Whether an error means that the database cannot be used or that nothing can be stored. */
export function isOutage(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'UNAVAILABLE';
  return cannotStore(error) || remedyFor(error) !== null;
}

/** Keeps such an error that the account library is about to hide. */
export function noteOutage(error: unknown): void {
  const call = calls.getStore();
  if (call && isOutage(error)) call.outage = error;
}

/**
 * Calls the account library. If the database cannot be reached or written to, the library answers
 * as if nobody were signed in, blames the visitor, or fails with an error of its own.
 * @param failed whether its answer may come from that
 * @throws the error that it hid in that case
 */
export async function unmaskOutage<Answer>(
  work: () => Promise<Answer>,
  failed: (answer: Answer) => boolean,
): Promise<Answer> {
  const call: { outage?: unknown } = {};
  const answer = await calls.run(call, work).catch((error: unknown) => {
    throw call.outage ?? error;
  });
  if (call.outage && failed(answer)) throw call.outage;
  return answer;
}
