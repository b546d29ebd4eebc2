import { type PictureContext, type PreparedCover, replacePicture } from '../links/cover.ts';
import { touchSeller } from './change-page.ts';

/**
 * Replaces the picture of a seller's page, or removes it (null).
 * @returns its blob
 * @throws DomainError STORAGE_FULL
 */
export async function setSellerPicture(
  context: PictureContext,
  { ownerId, picture }: { ownerId: string; picture: PreparedCover | null },
): Promise<string | null> {
  const { set } = await replacePicture(context, picture, async (trx, blob) => {
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
    return { set: blob, old: page?.picture ?? null };
  });
  return set;
}
