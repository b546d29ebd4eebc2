import type { Database } from '../../tables.ts';

/** Jobs that were given up: something that should have followed a payment did not. */
export async function findDeadJobs(db: Database): Promise<string[]> {
  const dead = await db
    .selectFrom('job')
    .where('died_at', 'is not', null)
    .orderBy('created_at')
    .select(['id', 'kind', 'attempts', 'last_error'])
    .execute();
  return dead.map(
    ({ id, kind, attempts, last_error }) =>
      `Job ${id} (${kind}) was given up (failed tries: ${attempts}): ${last_error}`,
  );
}
