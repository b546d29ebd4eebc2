import { TEXTS } from '../../../contract/texts.ts';
import { recordUnneeded } from '../../files/unneeded-blobs.ts';
import type { Database } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { NO_COVER } from './cover.ts';
import { forgetWords } from './index-words.ts';
import { dropPreviews } from './preview.ts';
import { findOwnLink, type LinkAuthor } from './queries.ts';
import type { Link } from './tables.ts';
import { tellLink } from './tell-link.ts';

/**
 * Takes a link off sale permanently; its id is never reused, and its buyers keep their content.
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED
 */
export async function deleteLink(
  { db, now }: { db: Database; now: () => number },
  { author, id }: { author: LinkAuthor; id: string },
): Promise<Link> {
  const deletedAt = now();
  return transaction(db, async (trx) => {
    const { id: own } = await findOwnLink(trx, author, id);
    // Written twice: the first write locks the row, so that its former cover is known for sure.
    const locked = await trx
      .updateTable('link')
      .set({ deleted_at: deletedAt })
      .where('id', '=', own)
      .where('deleted_at', 'is', null)
      .returning('cover')
      .executeTakeFirst();
    if (!locked) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    await dropPreviews(trx, [own], deletedAt);
    const deleted = await trx
      .updateTable('link')
      .set((update) => ({
        ...NO_COVER,
        updated_at: deletedAt,
        version: update('version', '+', 1),
      }))
      .where('id', '=', own)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (locked.cover) await recordUnneeded(trx, locked.cover, deletedAt);
    await forgetWords(trx, [own]);
    const { owner_id: ownerId } = deleted;
    await enqueue(trx, 'end-checkouts', { ownerId, linkId: own }, deletedAt);
    announce(trx, { kind: 'link-deleted', id: own, ownerId });
    await tellLink(trx, 'link.updated', deleted, deletedAt);
    return deleted;
  });
}

/**
 * Takes all links of a creator off sale permanently, in the caller's transaction; their buyers keep
 * their content.
 */
export async function deleteLinksOf(db: Database, ownerId: string, now: number): Promise<void> {
  // Written twice: the first write locks the rows, so that their former covers are known for sure.
  const deleted = await db
    .updateTable('link')
    .set((update) => ({
      deleted_at: now,
      updated_at: now,
      version: update('version', '+', 1),
    }))
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .returning(['id', 'cover'])
    .execute();
  await db
    .updateTable('link')
    .set(NO_COVER)
    .where('owner_id', '=', ownerId)
    .where('cover', 'is not', null)
    .execute();
  for (const { cover } of deleted) if (cover) await recordUnneeded(db, cover, now);
  const ids = deleted.map(({ id }) => id);
  await dropPreviews(db, ids, now);
  await forgetWords(db, ids);
  await enqueue(db, 'end-checkouts', { ownerId, linkId: null }, now);
  for (const id of ids) announce(db, { kind: 'link-deleted', id, ownerId });
}
