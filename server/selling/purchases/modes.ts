import type { Database } from '../../ground/database/tables.ts';
import type { Mode } from './tables.ts';

const REFUSALS: Record<Mode, string> = {
  live:
    'This database contains test purchases and cannot take live payments. ' +
    'Remove them with: npm run cli -- reset-test-data',
  test:
    'This database contains live purchases and cannot take test payments. ' +
    'Start it with the live STRIPE_SECRET_KEY, or try things out on another database: ' +
    'another DATABASE_URL, or another DATA_DIR without one',
};

/**
 * Test and live never mix: payments of one mode do not begin on a database that holds the other.
 * @throws Error that says what to do
 */
export async function refuseMixedModes(db: Database, mode: Mode): Promise<void> {
  // Where there are purchases of the other mode, one of them is at this end of the index.
  const end = await db
    .selectFrom('purchase')
    .orderBy('mode', mode === 'test' ? 'asc' : 'desc')
    .select('mode')
    .limit(1)
    .executeTakeFirst();
  if (end && end.mode !== mode) throw new Error(REFUSALS[mode]);
}
