import { LINK_ID_PATTERN } from '../../../contract/limits.ts';
import type { Database } from '../tables.ts';

/** Grows with every change of what the page of a link shows; null when it is not on sale. */
export async function readPageVersion(db: Database, id: string): Promise<number | null> {
  if (!LINK_ID_PATTERN.test(id)) return null;
  const found = await db
    .selectFrom('link')
    .leftJoin('seller', 'seller.owner_id', 'link.owner_id')
    .where('link.id', '=', id)
    .where('link.deleted_at', 'is', null)
    .where('link.taken_down_at', 'is', null)
    .select(['link.version', 'seller.version as sellerVersion'])
    .executeTakeFirst();
  return found ? found.version + (found.sellerVersion ?? 0) : null;
}
