import { TEXTS } from '../../../contract/texts.ts';
import { requireUnblocked } from '../../files/check-file.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { refuseOneTooMany } from './count-links.ts';
import type { LinkContext } from './create-link.ts';
import { indexWords } from './index-words.ts';
import { requireWholeVersion } from './link-content.ts';
import { choosePreview } from './preview.ts';
import type { Link } from './tables.ts';
import { tellLink } from './tell-link.ts';

/**
 * Puts a deleted link of this owner back on sale as it was, except for its cover; its preview is made
 * anew.
 * @throws DomainError LINK_NOT_FOUND for one that is not theirs or not deleted, FORBIDDEN for one
 *   that the operator took down, FILE_DELETED when one of its files was deleted since,
 *   FILE_REFUSED when the bytes of one were taken down, QUOTA_EXCEEDED
 */
export async function restoreLink(
  { db, now, quotaLinks }: Pick<LinkContext, 'db' | 'now' | 'quotaLinks'>,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<Link> {
  const restoredAt = now();
  return transaction(db, async (trx) => {
    const restored = await trx
      .updateTable('link')
      .set((update) => ({
        deleted_at: null,
        updated_at: restoredAt,
        version: update('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .where('deleted_at', 'is not', null)
      .returningAll()
      .executeTakeFirst();
    if (!restored) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    if (restored.taken_down_at !== null) {
      throw new DomainError('FORBIDDEN', 'This link was taken down and cannot be restored.');
    }
    const files = await trx
      .selectFrom('file')
      .innerJoin('link_file', 'link_file.file_key', 'file.key')
      .where('link_file.link_id', '=', id)
      .where('link_file.version', '=', restored.content_version)
      // Nobody may delete them from here on.
      .$if(dialectOf(trx) === 'postgres', (query) => query.forKeyShare('file'))
      .select('file.sha256')
      .execute();
    await refuseOneTooMany(trx, ownerId, quotaLinks);
    await requireWholeVersion(trx, id, restored.content_version);
    await requireUnblocked(trx, files);
    await indexWords(trx, restored);
    announce(trx, { kind: 'link-created', id, ownerId });
    const shown = await choosePreview(trx, restored, null, null, restoredAt);
    await tellLink(trx, 'link.updated', shown, restoredAt);
    return shown;
  });
}
