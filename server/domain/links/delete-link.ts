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
    const link = await findOwnLink(transaction, author, id);
    const deleted = await transaction
      .updateTable('link')
      .set((update) => ({
        ...NO_COVER,
        deleted_at: now,
        updated_at: now,
        version: update('version', '+', 1),
      }))
      .where('id', '=', link.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (link.cover) await recordUnneeded(transaction, link.cover, now);
    await forgetWords(transaction, [link.id]);
    return deleted;
  });
}
