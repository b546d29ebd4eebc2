import type { Database } from '../tables.ts';

/** Whether a link on sale has this blob as its cover: no other blob is ever shown. */
export async function isCover(db: Database, blob: string): Promise<boolean> {
  const link = await db
    .selectFrom('link')
    .select('id')
    .where('cover', '=', blob)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .executeTakeFirst();
  return link !== undefined;
}
