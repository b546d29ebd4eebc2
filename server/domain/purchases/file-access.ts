import type { Viewer } from '../accounts/viewer.ts';
import type { StoredFile } from '../files/tables.ts';
import { findLink } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import type { Database } from '../tables.ts';
import { type Access, accessStands, findAccess } from './access.ts';

/** Why a viewer may have one file: by a link that sells it, or as an upload of their own. */
export interface FileAccess {
  /** Null for an own upload. */
  linkId: string | null;
  access: Access;
}

/** The viewer's right to a file, or null. */
export async function findFileAccess(
  db: Database,
  viewer: Viewer,
  file: StoredFile,
): Promise<FileAccess | null> {
  const links = await linksOfFile(db, file.key);
  for (const link of links) {
    const access = await findAccess(db, viewer, link);
    if (access) return { linkId: link.id, access };
  }
  const isOwn = viewer.creatorId === file.owner_id && links.every(isOnlyTheirs);
  return isOwn ? { linkId: null, access: { kind: 'owner', userId: file.owner_id } } : null;
}

/** Whether a right to a file given earlier still stands. */
export async function fileAccessStands(
  db: Database,
  { linkId, access }: FileAccess,
  file: StoredFile,
): Promise<boolean> {
  if (linkId !== null) {
    const link = await findLink(db, linkId);
    return link !== undefined && accessStands(db, access, link);
  }
  if (access.kind !== 'owner' || access.userId !== file.owner_id) return false;
  return (await linksOfFile(db, file.key)).every(isOnlyTheirs);
}

/** What the operator took down is out of its owner's reach as well. */
const isOnlyTheirs = (link: Link) => link.taken_down_at === null;

function linksOfFile(db: Database, key: string): Promise<Link[]> {
  return db
    .selectFrom('link_file')
    .innerJoin('link', 'link.id', 'link_file.link_id')
    .where('link_file.file_key', '=', key)
    .selectAll('link')
    .execute();
}
