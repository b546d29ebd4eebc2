import { readConfig } from '../../server/ground/config/read-config.ts';
import { openPostgres } from '../../server/ground/database/postgres.ts';
import { openSqlite } from '../../server/ground/database/sqlite.ts';
import type { Database } from '../../server/ground/database/tables.ts';

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
