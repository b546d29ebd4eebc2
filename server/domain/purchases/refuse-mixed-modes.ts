import type { Database } from '../tables.ts';
import type { Mode } from './tables.ts';

/**
 * Test and live never mix: real payments do not begin on a database that holds test purchases.
 * @throws Error that says what to do
 */
export async function refuseMixedModes(db: Database, mode: Mode): Promise<void> {
  if (mode === 'test') return;
  const test = await db
    .selectFrom('purchase')
    .where('mode', '=', 'test')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!test) return;
  throw new Error(
    'This database holds test purchases and cannot take live payments. ' +
      'Remove them with: npm run cli -- reset-test-data',
  );
}
