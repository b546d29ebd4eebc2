import type { Viewer } from '../accounts/viewer.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Database } from '../tables.ts';

/**
 * Files of links this viewer holds a grant of and does not own, in the order of their keys. Read
 * from the viewer's own grants, so that its cost does not grow with everybody else's.
 */
export async function unlockedFiles(
  db: Database,
  viewer: Viewer,
  page: { after: string | null; limit: number },
): Promise<StoredFile[]> {
  const { claimHash, creatorId, user } = viewer;
  if (!claimHash && !user) return [];
  return db
    .with('held', (query) =>
      query
        .selectFrom('access_grant')
        .innerJoin('grant_claim', 'grant_claim.grant_id', 'access_grant.id')
        .where('grant_claim.claim_hash', '=', claimHash ?? '')
        .where('access_grant.state', '=', 'active')
        .select('access_grant.link_id')
        .union(
          query
            .selectFrom('access_grant')
            .where('buyer_id', '=', user?.id ?? '')
            .where('state', '=', 'active')
            .select('link_id'),
        ),
    )
    .selectFrom('held')
    .innerJoin('link', 'link.id', 'held.link_id')
    .innerJoin('link_file', 'link_file.link_id', 'link.id')
    .innerJoin('file', 'file.key', 'link_file.file_key')
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
