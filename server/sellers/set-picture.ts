import { randomBytes } from 'node:crypto';
import type { Database } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';
import { refuseWhenFull, requireRoom } from '../files/admit-upload.ts';
import { quarantineBlob, recordNeeded, recordUnneeded } from '../files/unneeded-blobs.ts';
import {
  type CoverStore,
  NO_ROOM,
  type PreparedCover,
  WRITTEN_WITHIN_MS,
  writeBlob,
} from '../links/cover.ts';
import { touchSeller } from './change-page.ts';

interface Context {
  db: Database;
  store: CoverStore;
  /** Called for an unneeded picture that could not be removed and stays until the next sweep. */
  notRemoved(error: unknown): void;
  now: () => number;
}

/**
 * Replaces the picture of a seller's page, or removes it (null). Each has a new name, so that its
 * address can be cached forever.
 * @returns its blob
 * @throws DomainError STORAGE_FULL
 */
export async function setSellerPicture(
  { db, store, notRemoved, now }: Context,
  { ownerId, picture }: { ownerId: string; picture: PreparedCover | null },
): Promise<string | null> {
  const setAt = now();
  const blob = picture && randomBytes(16).toString('hex');
  try {
    if (blob) {
      await requireRoom(store, picture.bytes.length, NO_ROOM);
      await refuseWhenFull(recordUnneeded(db, blob, setAt + WRITTEN_WITHIN_MS));
      await refuseWhenFull(writeBlob(store, blob, picture.bytes));
    }
    const old = await transaction(db, async (trx) => {
      // First of all: the row of the page is then read and written by nobody else.
      await touchSeller(trx, ownerId);
      const page = await trx
        .selectFrom('seller_page')
        .where('owner_id', '=', ownerId)
        .select('picture')
        .executeTakeFirst();
      const columns = {
        picture: blob,
        picture_width: picture?.width ?? null,
        picture_height: picture?.height ?? null,
      };
      await trx
        .insertInto('seller_page')
        .values({ owner_id: ownerId, links: '[]', ...columns })
        .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(columns))
        .execute();
      if (blob) await recordNeeded(trx, blob);
      if (page?.picture) await recordUnneeded(trx, page.picture, setAt);
      return page?.picture ?? null;
    });
    // A failure from here on must not cost the page its current picture.
    if (old) await quarantineBlob(db, store, old, setAt).catch(notRemoved);
    return blob;
  } catch (error) {
    if (blob) await store.remove(blob).catch(notRemoved);
    throw error;
  }
}
