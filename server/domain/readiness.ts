import type { Database } from './tables.ts';

/**
 * Commits a small write, as every sale does. @returns how many jobs were given up
 * @throws whatever the database says when it cannot
 */
export async function probeDatabase(db: Database): Promise<number> {
  const written_at = Date.now();
  await db
    .insertInto('probe')
    .values({ id: 1, written_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ written_at }))
    .execute();
  const { count } = await db
    .selectFrom('job')
    .where('died_at', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
