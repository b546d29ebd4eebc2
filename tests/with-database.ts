import { openPostgres } from '../server/adapters/database/postgres.ts';
import { openSqlite } from '../server/adapters/database/sqlite.ts';
import { readConfig } from '../server/config.ts';
import type { Database } from '../server/domain/tables.ts';

/** The product's own database, beside the running product. */
export async function withDatabase<Result>(
  app: { env: Record<string, string> },
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { database: place } = readConfig(app.env);
  const db =
    place.kind === 'sqlite'
      ? openSqlite(place.file)
      : openPostgres(place.url, { onLost: () => {}, patient: true });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
