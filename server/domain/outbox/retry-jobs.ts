import type { Database } from '../tables.ts';

/** Begins an update that lets jobs run now, with all their tries; to be narrowed by the caller. */
export function retryJobs(db: Database, now: number) {
  return db
    .updateTable('job')
    .set({ run_at: now, attempts: 0, unended: 0, died_at: null })
    .where('locked_until', '<=', now);
}
