import { type Kysely, SqliteAdapter } from 'kysely';
import { DomainError } from '../lib/domain-error.ts';

type DatabaseKind = 'sqlite' | 'postgres';

/** Which of the two databases a Kysely instance uses. */
export function dialectOf(db: Pick<Kysely<unknown>, 'getExecutor'>): DatabaseKind {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}

/** For what a database failed to do and may be able to do in a moment. The log gets the cause. */
export function unavailable(cause: unknown): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'The database is busy or cannot be reached right now. Please try again in a few seconds.',
    { cause },
  );
}
