import { texts } from '../../contract/fact.ts';
import type { Database, DatabaseTransaction } from '../ground/database/tables.ts';
import { isThere } from '../ground/lib/is-there.ts';

/** Worded to follow "because", and kept so of a file. */
export const BLOCKED = texts('the operator of this site took its content down');

/** Refuses the bytes of all that a link ever sold from now on, in whatever file they come. */
export async function blockFiles(
  trx: DatabaseTransaction,
  { linkId, takeDownId }: { linkId: string; takeDownId: string },
): Promise<void> {
  const files = await trx
    .selectFrom('link_file')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link_file.link_id', '=', linkId)
    .select('file.sha256')
    .distinct()
    .execute();
  const rows = files.flatMap(({ sha256 }) =>
    sha256 === null ? [] : [{ sha256, take_down_id: takeDownId }],
  );
  if (rows.length > 0) await trx.insertInto('blocked_file').values(rows).execute();
}

/** Lets in again what one take-down alone refused. */
export async function unblockFiles(trx: DatabaseTransaction, takeDownId: string): Promise<void> {
  await trx.deleteFrom('blocked_file').where('take_down_id', '=', takeDownId).execute();
}

export const isBlocked = (db: Database, sha256: string) =>
  isThere(db.selectFrom('blocked_file').where('sha256', '=', sha256).select('sha256').limit(1));
