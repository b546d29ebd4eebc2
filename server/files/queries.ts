import { prepare } from '../ground/database/prepare.ts';
import type { Database } from '../ground/database/tables.ts';
import type { StoredFile } from './tables.ts';

/** The finished upload behind a storage key. */
export async function findFinishedFile(db: Database, key: string): Promise<StoredFile | undefined> {
  const [file] = await readFinished(db, key);
  return file;
}

const readFinished = prepare((db, key: string) =>
  db.selectFrom('file').selectAll().where('key', '=', key).where('finished_at', 'is not', null),
);

/** An upload of this owner, running or finished, by the name in its URL. */
export function findUpload(
  db: Database,
  ownerId: string,
  blob: string,
): Promise<StoredFile | undefined> {
  return db
    .selectFrom('file')
    .selectAll()
    .where('blob', '=', blob)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
}

/** An owner's finished files in the order of their keys, after the given key. */
export function filesOfOwner(
  db: Database,
  ownerId: string,
  page: { after: string | null; limit: number },
): Promise<StoredFile[]> {
  return db
    .selectFrom('file')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('finished_at', 'is not', null)
    .where('key', '>', page.after ?? '')
    .orderBy('key')
    .limit(page.limit)
    .execute();
}

/**
 * What an account keeps here, unfinished uploads included: its bytes, how many uploads are open, and
 * the bytes of what it deleted that are not removed yet.
 */
export async function readUsage(
  db: Database,
  ownerId: string,
): Promise<{ usedBytes: number; openUploads: number; deletedBytes: number }> {
  const kept = await db
    .selectFrom('file_usage')
    .where('owner_id', '=', ownerId)
    .selectAll()
    .executeTakeFirst();
  return {
    usedBytes: kept?.used_bytes ?? 0,
    openUploads: kept?.open_uploads ?? 0,
    deletedBytes: kept?.deleted_bytes ?? 0,
  };
}

/** Whether a file that is not checked yet will be. */
export async function isToBeChecked(db: Database, { blob }: StoredFile): Promise<boolean> {
  const job = await db
    .selectFrom('job')
    .where('kind', '=', 'check-file')
    .where('payload', '=', JSON.stringify({ blob }))
    .where('died_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  return job !== undefined;
}
