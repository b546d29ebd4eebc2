import { type Kysely, SqliteAdapter } from 'kysely';

type DatabaseKind = 'sqlite' | 'postgres';

/** Which of the two databases stands behind a Kysely. */
export function dialectOf(db: Pick<Kysely<unknown>, 'getExecutor'>): DatabaseKind {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}
