import { randomUUID } from 'node:crypto';
import type { Database } from '../tables.ts';
import { type JobKind, type JobPayloads, LANES } from './tables.ts';

/**
 * Writes a job in the caller's transaction, so that it exists exactly when the change does.
 * @param runAt UTC milliseconds, before which it does not run
 */
export async function enqueue<Kind extends JobKind>(
  db: Database,
  kind: Kind,
  payload: JobPayloads[Kind],
  now: number,
  runAt = now,
): Promise<void> {
  await db
    .insertInto('job')
    .values({
      id: randomUUID(),
      kind,
      payload: JSON.stringify(payload),
      lane: LANES[kind],
      run_at: runAt,
      attempts: 0,
      unended: 0,
      locked_until: 0,
      lease_id: null,
      died_at: null,
      last_error: null,
      created_at: now,
    })
    .execute();
}
