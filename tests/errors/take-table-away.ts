import { onTestFinished } from 'vitest';
import type { App } from '../harness/start-app.ts';
import { runSql } from './run-sql.ts';

/**
 * Takes a table away from the running product. Returns what brings it back, which happens at the
 * latest when the test ends.
 */
export async function takeTableAway(
  app: Pick<App, 'dataDir' | 'env'>,
  table: string,
): Promise<() => Promise<void>> {
  let isAway = true;
  await runSql(app, `ALTER TABLE ${table} RENAME TO ${table}_away`);
  onTestFinished(bringBack);
  return bringBack;

  async function bringBack() {
    if (!isAway) return;
    await runSql(app, `ALTER TABLE ${table}_away RENAME TO ${table}`);
    isAway = false;
  }
}
