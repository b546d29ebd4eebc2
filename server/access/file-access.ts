import type { Database } from '../database/tables.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Viewer } from '../lib/viewer.ts';
import { filesOfLink, findLink } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import type { AccessGrant } from '../payments/tables.ts';
import { type Access, accessStands, findRights, grantsOf } from './access.ts';

/** Why a viewer may have one file: by a link that sells or sold it, or as their own upload. */
export interface FileAccess {
  /** Null for an own upload. */
  linkId: string | null;
  access: Access;
}

/** A file that a viewer gets of a link, and the right that brings it. */
export interface AccessibleFile {
  file: StoredFile;
  access: Access;
}

/**
 * The files that these rights to a link bring, in order, each once: a purchase brings what was
 * offered at its checkout, every other right what the link holds now.
 */
export async function filesByRights(
  db: Database,
  link: Link,
  rights: Access[],
): Promise<AccessibleFile[]> {
  const found = new Map<string, AccessibleFile>();
  for (const access of rights) {
    const files =
      access.kind === 'grant'
        ? await filesOfGrant(db, access.grantId)
        : await filesOfLink(db, link.id);
    for (const file of files) {
      if (!found.has(file.key)) found.set(file.key, { file, access });
    }
  }
  return [...found.values()];
}

/** The viewer's right to a file, or null. */
export async function findFileAccess(
  db: Database,
  viewer: Viewer,
  file: StoredFile,
): Promise<FileAccess | null> {
  const bought = await findPurchaseOfFile(db, viewer, file.key);
  if (bought) return bought;
  const links = await linksOfFile(db, file.key);
  for (const link of links) {
    const rights = await findRights(db, viewer, link);
    const access = rights.find(({ kind }) => kind !== 'grant');
    if (access) return { linkId: link.id, access };
  }
  const isOwn = viewer.creatorId === file.owner_id && links.every(isOnlyTheirs);
  return isOwn ? { linkId: null, access: { kind: 'owner', userId: file.owner_id } } : null;
}

/** Whether a right to a file given earlier still stands, or is in another `state`. */
export async function fileAccessStands(
  db: Database,
  { linkId, access }: FileAccess,
  file: StoredFile,
  state?: AccessGrant['state'],
): Promise<boolean> {
  if (linkId !== null) {
    const link = await findLink(db, linkId);
    return link !== undefined && accessStands(db, access, link, file.key, state);
  }
  if (access.kind !== 'owner' || access.userId !== file.owner_id) return false;
  return (await linksOfFile(db, file.key)).every(isOnlyTheirs);
}

/** What the operator took down is out of its owner's reach as well. */
const isOnlyTheirs = (link: Link) => link.taken_down_at === null;

/** A purchase of the viewer's that brings the file, whatever its link holds now. */
async function findPurchaseOfFile(
  db: Database,
  viewer: Viewer,
  fileKey: string,
): Promise<FileAccess | null> {
  if (!viewer.claimHash && !viewer.user) return null;
  const grant = await db
    .selectFrom(grantsOf(db, viewer).as('held'))
    .innerJoin('purchase_file', 'purchase_file.purchase_id', 'held.purchase_id')
    .innerJoin('link', 'link.id', 'held.link_id')
    .where('purchase_file.file_key', '=', fileKey)
    .where('link.taken_down_at', 'is', null)
    .where('link.owner_id', '!=', viewer.creatorId ?? '')
    .select(['held.id', 'held.link_id'])
    .executeTakeFirst();
  return grant ? { linkId: grant.link_id, access: { kind: 'grant', grantId: grant.id } } : null;
}

function filesOfGrant(db: Database, grantId: string): Promise<StoredFile[]> {
  return db
    .selectFrom('access_grant')
    .innerJoin('purchase_file', 'purchase_file.purchase_id', 'access_grant.purchase_id')
    .innerJoin('file', 'file.key', 'purchase_file.file_key')
    .where('access_grant.id', '=', grantId)
    .orderBy('purchase_file.position')
    .selectAll('file')
    .execute();
}

function linksOfFile(db: Database, key: string): Promise<Link[]> {
  return db
    .selectFrom('link_file')
    .innerJoin('link', 'link.id', 'link_file.link_id')
    .where('link_file.file_key', '=', key)
    .selectAll('link')
    .execute();
}

/** Files that this viewer bought of others, in the order of their keys. */
export async function unlockedFiles(
  db: Database,
  viewer: Viewer,
  page: { after: string | null; limit: number },
): Promise<StoredFile[]> {
  const { claimHash, creatorId, user } = viewer;
  if (!claimHash && !user) return [];
  return db
    .with('held', (query) => grantsOf(query, viewer))
    .selectFrom('held')
    .innerJoin('link', 'link.id', 'held.link_id')
    .innerJoin('purchase_file', 'purchase_file.purchase_id', 'held.purchase_id')
    .innerJoin('file', 'file.key', 'purchase_file.file_key')
    .where('link.taken_down_at', 'is', null)
    .where('file.finished_at', 'is not', null)
    .where('file.key', '>', page.after ?? '')
    .where('file.owner_id', '!=', creatorId ?? '')
    .selectAll('file')
    .distinct()
    .orderBy('file.key')
    .limit(page.limit)
    .execute();
}
