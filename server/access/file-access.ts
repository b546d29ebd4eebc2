import type { Database } from '../database/tables.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Viewer } from '../lib/viewer.ts';
import { filesOfLink, findLink } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import type { AccessGrant } from '../payments/tables.ts';
import {
  type Access,
  grantsOf,
  type HeldRight,
  type Right,
  unboughtRight,
  worthOf,
} from './access.ts';

/** Why a viewer may have one file: by a link that sells or sold it, or as their own upload. */
export interface FileRight {
  /** Null for an own upload. */
  linkId: string | null;
  right: Right;
}

/** A file that a viewer gets from a link, and the right that brings it. */
export interface AccessibleFile {
  file: StoredFile;
  right: Right;
}

/**
 * The files that these rights to a link bring, in order, each once: a purchase brings what was
 * offered at its checkout, every other right what the link sells now.
 */
export async function filesByRights(
  db: Database,
  link: Link,
  rights: Right[],
): Promise<AccessibleFile[]> {
  const found = new Map<string, AccessibleFile>();
  for (const right of rights) {
    const files =
      right.kind === 'grant'
        ? await filesOfGrant(db, right.grantId)
        : await filesOfLink(db, link.id);
    for (const file of files) {
      if (!found.has(file.key)) found.set(file.key, { file, right });
    }
  }
  return [...found.values()];
}

/** The viewer's right to a file, or null. */
export async function findFileRight(
  { db, viewer }: { db: Database; viewer: Viewer },
  file: StoredFile,
): Promise<FileRight | null> {
  for (const { link, ...bought } of await findPurchasesOfFile(db, viewer, file.key)) {
    const isForeign = link.owner_id !== viewer.creatorId;
    if (isForeign && worthOf(bought, link) === 'granted') {
      return { linkId: link.id, right: bought.right };
    }
  }
  const links = await linksOfFile(db, file.key);
  for (const link of links) {
    const right = unboughtRight(viewer, link);
    if (worthOf({ right }, link) === 'granted') return { linkId: link.id, right };
  }
  const isOwn = viewer.creatorId === file.owner_id && links.every(isOnlyTheirs);
  return isOwn ? { linkId: null, right: { kind: 'owner', userId: file.owner_id } } : null;
}

/** What a right to a file that was given earlier is worth now: asked at each request of a download. */
export async function worthOfFileRight(
  { db }: { db: Database },
  { linkId, right }: FileRight,
  file: StoredFile,
): Promise<Access['kind']> {
  if (linkId === null) {
    const isOwners = right.kind === 'owner' && right.userId === file.owner_id;
    const isTheirs = isOwners && (await linksOfFile(db, file.key)).every(isOnlyTheirs);
    return isTheirs ? 'granted' : 'none';
  }
  const link = await findLink(db, linkId);
  if (!link) return 'none';
  const grantState =
    right.kind === 'grant'
      ? await findGrantState(db, { grantId: right.grantId, linkId, fileKey: file.key })
      : undefined;
  return worthOf({ right, grantState }, link);
}

/** What the operator took down is out of its owner's reach as well. */
const isOnlyTheirs = (link: Link) => link.taken_down_at === null;

/** Purchases of the viewer's that bring the file, whatever their links hold now. */
async function findPurchasesOfFile(
  db: Database,
  viewer: Viewer,
  fileKey: string,
): Promise<(HeldRight & { link: Link })[]> {
  if (!viewer.claimHash && !viewer.user) return [];
  const rows = await db
    .selectFrom(grantsOf(db, viewer).as('held'))
    .innerJoin('purchase_file', 'purchase_file.purchase_id', 'held.purchase_id')
    .innerJoin('link', 'link.id', 'held.link_id')
    .where('purchase_file.file_key', '=', fileKey)
    .selectAll('link')
    .select(['held.id as grant_id', 'held.state as grant_state'])
    .execute();
  return rows.map(({ grant_id: grantId, grant_state: grantState, ...link }) => ({
    right: { kind: 'grant', grantId },
    grantState,
    link,
  }));
}

/** Undefined for a grant of another link, or one that does not bring the file. */
async function findGrantState(
  db: Database,
  { grantId, linkId, fileKey }: { grantId: string; linkId: string; fileKey: string },
): Promise<AccessGrant['state'] | undefined> {
  const grant = await db
    .selectFrom('access_grant')
    .innerJoin('purchase_file', 'purchase_file.purchase_id', 'access_grant.purchase_id')
    .where('access_grant.id', '=', grantId)
    .where('access_grant.link_id', '=', linkId)
    .where('purchase_file.file_key', '=', fileKey)
    .select('access_grant.state')
    .executeTakeFirst();
  return grant?.state;
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
  return (
    db
      .with('held', (query) => grantsOf(query, viewer))
      .selectFrom('held')
      .innerJoin('link', 'link.id', 'held.link_id')
      .innerJoin('purchase_file', 'purchase_file.purchase_id', 'held.purchase_id')
      .innerJoin('file', 'file.key', 'purchase_file.file_key')
      // As worthOf says of a grant: a page of files is read by one query.
      .where('held.state', '=', 'active')
      .where('link.taken_down_at', 'is', null)
      .where('file.finished_at', 'is not', null)
      .where('file.key', '>', page.after ?? '')
      .where('file.owner_id', '!=', creatorId ?? '')
      .selectAll('file')
      .distinct()
      .orderBy('file.key')
      .limit(page.limit)
      .execute()
  );
}
