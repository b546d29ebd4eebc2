import { DomainError } from '../domain-error.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Database } from '../tables.ts';
import { deleteFile } from './delete-file.ts';

/** Time to sell a file again after its link was deleted. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes the files of links that were deleted a month ago and that nobody has bought. */
export async function sweepUnsoldFiles(
  db: Database,
  store: Pick<FileStore, 'remove'>,
  now: number,
): Promise<void> {
  const files = await db
    .selectFrom('link')
    .innerJoin('link_file', 'link_file.link_id', 'link.id')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link.deleted_at', '<', now - KEPT_FOR_MS)
    .select(['file.key', 'file.owner_id as ownerId'])
    .distinct()
    .execute();
  for (const file of files) await deleteFile(db, store, file, now).catch(ignoreUse);
}

function ignoreUse(error: unknown): void {
  if (error instanceof DomainError && error.code === 'FILE_IN_USE') return;
  throw error;
}
