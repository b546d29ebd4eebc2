import { type Expression, expressionBuilder, sql } from 'kysely';
import { filesOfVersion, findLink, isOffered } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import type { StoredFile } from '../../files/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import type { AccessGrant } from '../purchases/tables.ts';
import {
  type Access,
  type GivenRight,
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

/** A version of a link's content that a viewer may take, and the right that brings it. */
export interface AccessibleVersion {
  number: number;
  right: Right;
  /** What is on sale and came after everything that the viewer bought. */
  isNewer: boolean;
}

/**
 * The versions that these rights to a link bring, each once. While the link is on sale, buyers may
 * take what it sells now as well. They get none in between, which the creator may delete.
 */
export function versionsByRights(
  link: Link,
  rights: [GivenRight, ...GivenRight[]],
): AccessibleVersion[] {
  const found = new Map<number, AccessibleVersion>();
  for (const { right, version: number } of rights) {
    if (!found.has(number)) found.set(number, { number, right, isNewer: false });
  }
  const [{ right }] = rights;
  const onSale = link.content_version;
  if (isOffered(link) && !found.has(onSale)) {
    found.set(onSale, { number: onSale, right, isNewer: true });
  }
  return [...found.values()];
}

/**
 * What these rights bring when a certain version is asked for, or none is: then all but a newer
 * one. Who owns a link, and the operator, may ask for each that it has had.
 */
export function chooseVersions(
  link: Link,
  rights: [GivenRight, ...GivenRight[]],
  number?: number,
): AccessibleVersion[] {
  const versions = versionsByRights(link, rights);
  if (number === undefined) return versions.filter(({ isNewer }) => !isNewer);
  const [{ right }] = rights;
  const seesAll = right.kind === 'owner' || right.kind === 'operator';
  const isThere = Number.isInteger(number) && number >= 1 && number <= link.content_version;
  if (seesAll && isThere) return [{ number, right, isNewer: false }];
  return versions.filter((version) => version.number === number);
}

/** The files of some versions of a link, in order, each once. */
export async function filesOfVersions(
  db: Database,
  link: Link,
  versions: Pick<AccessibleVersion, 'number' | 'right'>[],
): Promise<AccessibleFile[]> {
  const found = new Map<string, AccessibleFile>();
  for (const { number, right } of versions) {
    for (const file of await filesOfVersion(db, link.id, number)) {
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
  for (const { isOnSale, ...link } of links) {
    const right = unboughtRight(viewer, link);
    const isOpen = isOnSale || right.kind !== 'free';
    if (isOpen && worthOf({ right }, link) === 'granted') return { linkId: link.id, right };
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
  return worthOfRight(db, link, right, ['link_file.file_key', file.key]);
}

/** The same of a right to all files of a version. */
export function worthOfVersionRight(
  { db }: { db: Database },
  link: Link,
  { number, right }: Pick<AccessibleVersion, 'number' | 'right'>,
): Promise<Access['kind']> {
  return worthOfRight(db, link, right, ['link_file.version', number]);
}

/** What a right must still bring. */
type Brought = ['link_file.file_key', string] | ['link_file.version', number];

async function worthOfRight(
  db: Database,
  link: Link,
  right: Right,
  brought: Brought,
): Promise<Access['kind']> {
  if (right.kind === 'free' && !(await isOnSale(db, link, brought))) return 'none';
  const grantState =
    right.kind === 'grant' ? await findGrantState(db, right.grantId, link, brought) : undefined;
  return worthOf({ right, grantState }, link);
}

/** What is free is what a link offers now, and nothing that it has replaced. */
async function isOnSale(db: Database, link: Link, [column, value]: Brought): Promise<boolean> {
  if (column === 'link_file.version') return value === link.content_version;
  if (value === link.key) return true;
  const files = await filesOfVersion(db, link.id, link.content_version);
  return files.some(({ key }) => key === value);
}

/** What the operator took down is out of its owner's reach as well. */
const isOnlyTheirs = (link: Link) => link.taken_down_at === null;

const { eb, and, or, ref } = expressionBuilder<Tables, 'link' | 'link_file'>();
/** Whether a purchase of a version brings a file: as versionsByRights says, for queries. */
const isBroughtBy = (bought: Expression<number>) =>
  or([
    eb('link_file.version', '=', bought),
    and([
      eb('link_file.version', '=', ref('link.content_version')),
      eb('link.deleted_at', 'is', null),
    ]),
  ]);

const HELD_VERSION = sql.ref<number>('held.content_version');

/** Purchases of the viewer's that bring the file. */
async function findPurchasesOfFile(
  db: Database,
  viewer: Viewer,
  fileKey: string,
): Promise<(HeldRight & { link: Link })[]> {
  if (!viewer.claimHash && !viewer.user) return [];
  const rows = await db
    .selectFrom(grantsOf(db, viewer).as('held'))
    .innerJoin('link', 'link.id', 'held.link_id')
    .innerJoin('link_file', 'link_file.link_id', 'held.link_id')
    .where(isBroughtBy(HELD_VERSION))
    .where('link_file.file_key', '=', fileKey)
    .selectAll('link')
    .select(['held.id as grant_id', 'held.state as grant_state'])
    .execute();
  return rows.map(({ grant_id: grantId, grant_state: grantState, ...link }) => ({
    right: { kind: 'grant', grantId },
    grantState,
    link,
  }));
}

/** Undefined for a grant of another link, or one that does not bring the file or version. */
async function findGrantState(
  db: Database,
  grantId: string,
  link: Link,
  [column, value]: Brought,
): Promise<AccessGrant['state'] | undefined> {
  const [grant] = await readGrantState[column](db, grantId, link.id, value);
  return grant?.state;
}

const grantStateBy = (column: Brought[0]) =>
  prepare((db, grantId: string, linkId: string, value: Brought[1]) =>
    db
      .selectFrom('access_grant')
      .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
      .leftJoin('purchase_part', (join) =>
        join
          .onRef('purchase_part.purchase_id', '=', 'purchase.id')
          .on('purchase_part.link_id', '=', linkId),
      )
      .innerJoin('link', (join) =>
        join.on(({ eb, fn }) =>
          eb('link.id', '=', fn.coalesce('purchase_part.link_id', 'access_grant.link_id')),
        ),
      )
      .innerJoin('link_file', 'link_file.link_id', 'link.id')
      .where('access_grant.id', '=', grantId)
      .where('link.id', '=', linkId)
      .where(isBroughtBy(sql`coalesce(purchase_part.content_version, purchase.content_version)`))
      .where(column, '=', value)
      .select('access_grant.state'),
  );

const readGrantState = {
  'link_file.file_key': grantStateBy('link_file.file_key'),
  'link_file.version': grantStateBy('link_file.version'),
};

/** Every link that ever sold a file, and whether it does so now. */
async function linksOfFile(db: Database, key: string): Promise<(Link & { isOnSale: boolean })[]> {
  const rows = await db
    .selectFrom('link_file')
    .innerJoin('link', 'link.id', 'link_file.link_id')
    .where('link_file.file_key', '=', key)
    .selectAll('link')
    .select('link_file.version as file_version')
    .execute();
  return rows.map(({ file_version, ...link }) => ({
    ...link,
    isOnSale: file_version === link.content_version,
  }));
}

/** Files that purchases of others' links bring this viewer, in the order of their keys. */
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
      .innerJoin('link_file', 'link_file.link_id', 'held.link_id')
      .innerJoin('file', 'file.key', 'link_file.file_key')
      .where(isBroughtBy(HELD_VERSION))
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
