import { TEXTS } from '../../../contract/texts.ts';
import { DomainError } from '../domain-error.ts';
import { recordUnneeded } from '../files/unneeded-blobs.ts';
import type { Database } from '../tables.ts';
import { findOwnLink, type LinkAuthor } from './find-own-link.ts';
import { NO_COVER } from './no-cover.ts';
import { forgetWords } from './search/forget-words.ts';
import type { Link } from './tables.ts';

/**
 * Takes a link off sale for good; its id is never given out again, its buyers keep their content.
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED
 */
export async function deleteLink(
  db: Database,
  author: LinkAuthor,
  id: string,
  now: number,
): Promise<Link> {
  return db.transaction().execute(async (transaction) => {
    const { id: own } = await findOwnLink(transaction, author, id);
    // Written twice: the first locks the row, so that the cover it had is known for sure.
    const locked = await transaction
      .updateTable('link')
      .set({ deleted_at: now })
      .where('id', '=', own)
      .where('deleted_at', 'is', null)
      .returning('cover')
      .executeTakeFirst();
    if (!locked) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    const deleted = await transaction
      .updateTable('link')
      .set((update) => ({
        ...NO_COVER,
        updated_at: now,
        version: update('version', '+', 1),
      }))
      .where('id', '=', own)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (locked.cover) await recordUnneeded(transaction, locked.cover, now);
    await forgetWords(transaction, [own]);
    return deleted;
  });
}
