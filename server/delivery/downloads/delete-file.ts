import { releaseLinkId } from '../../files/link-id.ts';
import type { SweepContext, Swept } from '../../files/sweep.ts';
import { quarantineBlob, recordUnneeded } from '../../files/unneeded-blobs.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { holdGrants } from '../../selling/purchases/sold-parts.ts';

/**
 * A checkout that was begun longer ago was not paid: by then the provider has given up telling us,
 * and the buyer, coming back.
 */
const OPEN_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/** A refund may fail, and a dispute be won, so long after it ended a buyer's right. */
const MAY_RETURN_FOR_MS = 60 * 24 * 60 * 60 * 1000;

/**
 * Deletes a finished upload of this owner; its bytes stay in quarantine for 30 days.
 * @returns those bytes
 * @throws DomainError FORBIDDEN for a key that is not theirs, FILE_IN_USE while a link sells it, a
 *   buyer has a right to it or may get it back, or somebody is paying for it
 */
export async function deleteFile(
  { db, store, now }: SweepContext<'quarantine'>,
  { key, ownerId }: { key: string; ownerId: string },
): Promise<number> {
  const deletedAt = now();
  const blob = await transaction(db, async (trx) => {
    const file = await trx
      .selectFrom('file')
      .select(['blob', 'link_id', 'owner_id', 'size_bytes'])
      .where('key', '=', key)
      .where('owner_id', '=', ownerId)
      .where('finished_at', 'is not', null)
      // Nobody may begin to sell or buy it from here on.
      .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
    // The same answer for a key that does not exist and one of somebody else.
    if (!file) throw new DomainError('FORBIDDEN', 'You do not own a file with this key.');
    const purchases = purchasesWith(trx, key);
    // Nor may a right that has ended return meanwhile.
    await holdGrants(trx, purchases.$asScalar());
    if (await isNeeded(trx, key, deletedAt)) {
      throw new DomainError(
        'FILE_IN_USE',
        'A link sells this file, or someone has bought it or is paying for it. Buyers keep what they bought; a file that nobody has bought can be deleted once no link sells it.',
      );
    }
    await trx
      .updateTable('link_version')
      .set({ files_deleted_at: deletedAt })
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('link_file')
            .whereRef('link_file.link_id', '=', 'link_version.link_id')
            .whereRef('link_file.version', '=', 'link_version.number')
            .where('link_file.file_key', '=', key)
            .select('link_file.position'),
        ),
      )
      .execute();
    // Refunded sales are still listed: how far they went out is said of the files that are left.
    await trx
      .deleteFrom('delivered_file')
      .where('file_key', '=', key)
      .where('grant_id', 'in', ({ selectFrom }) =>
        selectFrom('access_grant').where('purchase_id', 'in', purchases).select('id'),
      )
      .execute();
    await trx
      .updateTable('access_grant')
      .set(({ eb, fn, val }) => ({
        // Null where none is left, as where none was bought.
        size_bytes: fn('nullif', [eb('size_bytes', '-', file.size_bytes), val(0)]),
      }))
      .where('purchase_id', 'in', purchases)
      .execute();
    await trx.deleteFrom('link_file').where('file_key', '=', key).execute();
    await trx.deleteFrom('file').where('key', '=', key).execute();
    await recordUnneeded(trx, file.blob, deletedAt, file);
    await releaseLinkId(trx, file.link_id);
    return file.blob;
  });
  return quarantineBlob(db, store, blob, deletedAt);
}

async function isNeeded(db: Database, key: string, now: number): Promise<boolean> {
  const versions = db
    .selectFrom('link_file')
    .innerJoin('link', 'link.id', 'link_file.link_id')
    .where('link_file.file_key', '=', key);
  const onSale = await versions
    .whereRef('link_file.version', '=', 'link.content_version')
    .where('link.deleted_at', 'is', null)
    .select('link.id')
    .executeTakeFirst();
  if (onSale) return true;
  const purchases = db.selectFrom('purchase').where('purchase.id', 'in', purchasesWith(db, key));
  const bought = await purchases
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where(({ eb, or }) =>
      or([
        eb('access_grant.state', '!=', 'ended'),
        eb('access_grant.updated_at', '>', now - MAY_RETURN_FOR_MS),
      ]),
    )
    .select('access_grant.id')
    .executeTakeFirst();
  if (bought) return true;
  const beingPaid = await purchases
    .where(({ eb, and, or }) =>
      or([
        eb('purchase.state', '=', 'processing'),
        and([eb('purchase.state', '=', 'open'), eb('purchase.created_at', '>', now - OPEN_FOR_MS)]),
        // Ended by us, and perhaps paid in the moment before the provider heard of it.
        and([eb('purchase.state', '=', 'expired'), eb('purchase.expires_at', '>', now)]),
      ]),
    )
    .select('purchase.id')
    .executeTakeFirst();
  return beingPaid !== undefined;
}

/** The ids of the purchases, paid for or not, of versions with a file, alone and in bundles. */
export function purchasesWith(db: Database, key: string) {
  const versions = db.selectFrom('link_file').where('link_file.file_key', '=', key);
  const offered = versions
    .innerJoin('purchase', (join) =>
      join
        .onRef('purchase.link_id', '=', 'link_file.link_id')
        .onRef('purchase.content_version', '=', 'link_file.version'),
    )
    .select('purchase.id');
  const inBundles = versions
    .innerJoin('purchase_part', (join) =>
      join
        .onRef('purchase_part.link_id', '=', 'link_file.link_id')
        .onRef('purchase_part.content_version', '=', 'link_file.version'),
    )
    .select('purchase_part.purchase_id as id');
  return offered.union(inBundles);
}

/** Time to sell a file again after its link was deleted. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Deletes the files of links that were deleted a month ago and never bought. Those of suspended
 * accounts are off sale as well, but may come back.
 * @returns how many blobs were moved to quarantine, and their bytes
 */
export async function sweepUnsoldFiles(
  context: SweepContext<'quarantine'>,
): Promise<Pick<Swept, 'quarantined' | 'quarantinedBytes'>> {
  const files = await context.db
    .selectFrom('link')
    .innerJoin('link_file', 'link_file.link_id', 'link.id')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .leftJoin('suspension', 'suspension.user_id', 'link.owner_id')
    .where('suspension.user_id', 'is', null)
    .where('link.deleted_at', '<', context.now() - KEPT_FOR_MS)
    .select(['file.key', 'file.owner_id as ownerId'])
    .distinct()
    .execute();
  const swept = { quarantined: 0, quarantinedBytes: 0 };
  for (const file of files) {
    const bytes = await deleteFile(context, file).catch(ignoreUse);
    if (bytes === null) continue;
    swept.quarantined += 1;
    swept.quarantinedBytes += bytes;
  }
  return swept;
}

function ignoreUse(error: unknown): null {
  if (error instanceof DomainError && error.code === 'FILE_IN_USE') return null;
  throw error;
}
