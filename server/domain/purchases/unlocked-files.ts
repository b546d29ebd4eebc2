import type { Viewer } from '../accounts/viewer.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Database } from '../tables.ts';
import { grantsOf } from './access.ts';

/** Files that this viewer bought of others, in the order of their keys. */
export async function unlockedFiles(
  db: Database,
  viewer: Viewer,
  page: { after: string | null; limit: number },
): Promise<StoredFile[]> {
  const { claimHash, creatorId, user } = viewer;
  if (!claimHash && !user) return [];
  return db
    .with('held', (query) => grantsOf(query, viewer))
    .selectFrom('held')
    .innerJoin('link', 'link.id', 'held.link_id')
    .innerJoin('purchase_file', 'purchase_file.purchase_id', 'held.purchase_id')
    .innerJoin('file', 'file.key', 'purchase_file.file_key')
    .where('link.taken_down_at', 'is', null)
    .where('file.finished_at', 'is not', null)
    .where('file.key', '>', page.after ?? '')
    .where('file.owner_id', '!=', creatorId ?? '')
    .selectAll('file')
    .distinct()
    .orderBy('file.key')
    .limit(page.limit)
    .execute();
}
