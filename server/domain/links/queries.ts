import { LINK_ID_PATTERN } from '../../../contract/limits.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Database } from '../tables.ts';
import type { Link } from './tables.ts';

/** Any link by its id, deleted and taken-down ones included. */
export async function findLink(db: Database, id: string): Promise<Link | undefined> {
  if (!LINK_ID_PATTERN.test(id)) return undefined;
  return db.selectFrom('link').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The files a link sells, in order. */
export function filesOfLink(db: Database, linkId: string): Promise<StoredFile[]> {
  return db
    .selectFrom('link_file')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link_file.link_id', '=', linkId)
    .orderBy('link_file.position')
    .selectAll('file')
    .execute();
}
