import { DomainError } from '../../domain/domain-error.ts';

/** What a database failed to do just now and may do in a moment. The log gets the cause. */
export function unavailable(cause: unknown): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'The database is busy or cannot be reached just now. Please try again in a few seconds.',
    { cause },
  );
}
