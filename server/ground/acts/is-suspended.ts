import type { Database } from '../database/tables.ts';

/** Whether nobody may sign in to this account, or be paid by it, now. */
export async function isSuspended(db: Database, userId: string): Promise<boolean> {
  const suspension = await db
    .selectFrom('suspension')
    .where('user_id', '=', userId)
    .select('user_id')
    .executeTakeFirst();
  return suspension !== undefined;
}
