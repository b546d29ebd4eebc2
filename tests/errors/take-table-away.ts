import type { App } from '../start-app.ts';
import { runSql } from './run-sql.ts';

/** Takes a table away from the running product. Returns what brings it back. */
export async function takeTableAway(
  app: Pick<App, 'dataDir' | 'env'>,
  table: string,
): Promise<() => Promise<void>> {
  await runSql(app, `ALTER TABLE ${table} RENAME TO ${table}_away`);
  return () => runSql(app, `ALTER TABLE ${table}_away RENAME TO ${table}`);
}
