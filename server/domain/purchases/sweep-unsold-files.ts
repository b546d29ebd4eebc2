import { DomainError } from '../domain-error.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Swept } from '../files/sweep-unneeded-blobs.ts';
import type { Database } from '../tables.ts';
import { deleteFile } from './delete-file.ts';

/** Time to sell a file again after its link was deleted. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Deletes the files of links that were deleted a month ago and that nobody has bought.
 * @returns how many blobs that put into quarantine, and their bytes
 */
export async function sweepUnsoldFiles(
  db: Database,
  store: Pick<FileStore, 'quarantine'>,
  now: number,
): Promise<Pick<Swept, 'quarantined' | 'quarantinedBytes'>> {
  const files = await db
    .selectFrom('link')
    .innerJoin('link_file', 'link_file.link_id', 'link.id')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link.deleted_at', '<', now - KEPT_FOR_MS)
    .select(['file.key', 'file.owner_id as ownerId'])
    .distinct()
    .execute();
  const swept = { quarantined: 0, quarantinedBytes: 0 };
  for (const file of files) {
    const bytes = await deleteFile(db, store, file, now).catch(ignoreUse);
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
