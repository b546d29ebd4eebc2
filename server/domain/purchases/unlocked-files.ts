import type { Viewer } from '../accounts/viewer.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Database } from '../tables.ts';

/** Files of links this viewer holds a grant of and does not own, in the order of their keys. */
export async function unlockedFiles(
  db: Database,
  viewer: Viewer,
  page: { after: string | null; limit: number },
): Promise<StoredFile[]> {
  const { claimHash, creatorId, user } = viewer;
  if (!claimHash && !user) return [];
  return db
    .selectFrom('file')
    .selectAll()
    .where('finished_at', 'is not', null)
    .where('key', '>', page.after ?? '')
    .where('owner_id', '!=', creatorId ?? '')
    .where('key', 'in', (select) =>
      select
        .selectFrom('link_file')
        .innerJoin('access_grant', 'access_grant.link_id', 'link_file.link_id')
        .innerJoin('link', 'link.id', 'link_file.link_id')
        .leftJoin('grant_claim', 'grant_claim.grant_id', 'access_grant.id')
        .where('access_grant.state', '=', 'active')
        .where('link.taken_down_at', 'is', null)
        .where(({ eb, or }) =>
          or([
            eb('grant_claim.claim_hash', '=', claimHash ?? ''),
            eb('access_grant.buyer_id', '=', user?.id ?? ''),
          ]),
        )
        .select('link_file.file_key'),
    )
    .orderBy('key')
    .limit(page.limit)
    .execute();
}
