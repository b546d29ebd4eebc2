import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import { formatBytes } from './format-bytes.ts';

/** Of an account, at the same time; one that nobody continues ends after a day. */
export const MAX_OPEN_UPLOADS = 100;
/** With the files that it deleted, which wait in quarantine, an account takes so many quotas. */
export const WITH_DELETED = 2;

/**
 * Run in the transaction that opens the upload, where uploads are opened one at a time.
 * @throws DomainError QUOTA_EXCEEDED, TOO_MANY_OPEN_UPLOADS
 */
export async function refuseOverQuota(
  transaction: Database,
  { ownerId, sizeBytes }: { ownerId: string; sizeBytes: number },
  quotaBytes: number,
): Promise<void> {
  const kept = await transaction
    .selectFrom('file')
    .where('owner_id', '=', ownerId)
    .select(({ fn, eb }) => [
      fn.sum<number | string | null>('size_bytes').as('bytes'),
      fn
        .countAll<number>()
        .filterWhere(eb('finished_at', 'is', null))
        .as('open'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(kept.open) >= MAX_OPEN_UPLOADS) {
    throw new DomainError(
      'TOO_MANY_OPEN_UPLOADS',
      `You have ${MAX_OPEN_UPLOADS} uploads that are not finished. Finish or cancel one of them first; those that nobody continues end after a day.`,
    );
  }
  const usedBytes = Number(kept.bytes);
  if (usedBytes + sizeBytes > quotaBytes) {
    throw new DomainError(
      'QUOTA_EXCEEDED',
      `Your files take ${formatBytes(usedBytes)} of the ${formatBytes(quotaBytes)} that an account may use here, unfinished uploads included, and this one has ${formatBytes(sizeBytes)}. Delete files that you no longer sell, or ask the operator of this site for more room.`,
    );
  }
  const { bytes } = await transaction
    .selectFrom('unneeded_blob')
    .where('owner_id', '=', ownerId)
    .select(({ fn }) => fn.sum<number | string | null>('size_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  const deletedBytes = Number(bytes);
  // Else whoever uploads and deletes in turn would fill the disk.
  if (usedBytes + deletedBytes + sizeBytes > quotaBytes * WITH_DELETED) {
    throw new DomainError(
      'QUOTA_EXCEEDED',
      `Files that you deleted are kept for 30 days, and yours still take ${formatBytes(deletedBytes)}. Together with the ${formatBytes(usedBytes)} of your other files there is no room for ${formatBytes(sizeBytes)} more. Please try again later, or ask the operator of this site for more room.`,
    );
  }
}
