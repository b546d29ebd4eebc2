import { TEXTS } from '../../../contract/texts.ts';
import { releaseLinkId } from '../../files/link-id.ts';
import { recordUnneeded } from '../../files/unneeded-blobs.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { ALONE } from './choices.ts';
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
  { db, now }: DatabaseContext,
  { author, id }: { author: LinkAuthor; id: string },
): Promise<Link> {
  const deletedAt = now();
  return transaction(db, async (trx) => {
    const { id: linkId, owner_id: ownerId } = await findOwnLink(trx, author, id);
    await takeOffSale(trx, { ownerId, linkId }, deletedAt);
    const row = trx.selectFrom('link').selectAll().where('id', '=', linkId);
    const deleted = await row.executeTakeFirstOrThrow();
    await tellLink(trx, 'link.updated', deleted, deletedAt);
    return deleted;
  });
}

/**
 * Takes all links of a creator off sale permanently, in the caller's transaction; their buyers keep
 * their content.
 */
export async function deleteLinksOf(db: Database, ownerId: string, now: number): Promise<void> {
  await takeOffSale(db, { ownerId, linkId: null }, now);
}

/** Lets go of the finished uploads of a creator that no link ever had, in the caller's transaction. */
export async function deleteUnlinkedFiles(
  db: Database,
  ownerId: string,
  now: number,
): Promise<void> {
  const unlinked = await db
    .deleteFrom('file')
    .where('owner_id', '=', ownerId)
    .where('finished_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('link_file')
            .whereRef('link_file.file_key', '=', 'file.key')
            .select('link_file.position'),
        ),
      ),
    )
    .returning(['blob', 'link_id', 'owner_id', 'size_bytes'])
    .execute();
  for (const file of unlinked) {
    await recordUnneeded(db, file.blob, now, file);
    await releaseLinkId(db, file.link_id);
  }
}

/** @throws DomainError LINK_NOT_FOUND for a single link that was deleted meanwhile */
async function takeOffSale(
  db: Database,
  { ownerId, linkId }: { ownerId: string; linkId: string | null },
  now: number,
): Promise<void> {
  const links = db
    .updateTable('link')
    .where('owner_id', '=', ownerId)
    .$if(linkId !== null, (query) => query.where('id', '=', linkId ?? ''));
  // Written twice: the first write locks the rows, so that their former covers are known for sure.
  const locked = await links
    .set((update) => ({
      deleted_at: now,
      ...ALONE,
      updated_at: now,
      version: update('version', '+', 1),
    }))
    .where('deleted_at', 'is', null)
    .returning(['id', 'cover'])
    .execute();
  if (linkId !== null && locked.length === 0) {
    throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
  }
  const ids = locked.map(({ id }) => id);
  await dropPreviews(db, ids, now);
  const covers = locked.flatMap(({ cover }) => cover ?? []);
  if (covers.length > 0) await links.set(NO_COVER).where('cover', 'is not', null).execute();
  for (const cover of covers) await recordUnneeded(db, cover, now);
  await forgetWords(db, ids);
  await enqueue(db, 'end-checkouts', { ownerId, linkId }, now);
  for (const id of ids) announce(db, { kind: 'link-deleted', id, ownerId });
}
