import { randomUUID } from 'node:crypto';
import type { Database } from '../tables.ts';
import type { JobKind, JobPayloads } from './tables.ts';

/** Writes a job in the caller's transaction, so that it exists exactly when the change does. */
export async function enqueue<Kind extends JobKind>(
  db: Database,
  kind: Kind,
  payload: JobPayloads[Kind],
  now: number,
): Promise<void> {
  await db
    .insertInto('job')
    .values({
      id: randomUUID(),
      kind,
      payload: JSON.stringify(payload),
      run_at: now,
      attempts: 0,
      locked_until: 0,
      died_at: null,
      last_error: null,
      created_at: now,
    })
    .execute();
}
