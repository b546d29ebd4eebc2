import type { Viewer } from '../domain/accounts/viewer.ts';
import type { FileStore } from '../domain/files/file-store.ts';
import { findDamage } from '../domain/files/find-damage.ts';
import type { StoredFile } from '../domain/files/tables.ts';
import { filesOfLink } from '../domain/links/queries.ts';
import type { Link } from '../domain/links/tables.ts';
import { findRights, isAccessSuspended } from '../domain/purchases/access.ts';
import { type AccessibleFile, filesByRights } from '../domain/purchases/file-access.ts';
import { findLastCheckout } from '../domain/purchases/queries.ts';
import type { Purchase } from '../domain/purchases/tables.ts';
import type { Database } from '../domain/tables.ts';

/** What only a viewer with access ever sees of a link. */
interface UnlockedContent {
  url: string | null;
  /** Of the first of the files; null for a web address. */
  key(): Promise<string | null>;
  /** Looked up once; none for a web address. */
  files(): Promise<StoredFile[]>;
}

/** What links are read with. */
export interface LinkReaders {
  db: Database;
  store: Pick<FileStore, 'sizeOf'>;
  /** The name under which an account sells, asked for once for all links of a list. */
  findSeller(ownerId: string): Promise<string | null>;
}

interface Cover {
  /** A path of this site; another picture has another one. */
  url: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** A link as one viewer may see it: key, url and files exist only behind `unlock`. */
export interface PresentedLink {
  id: string;
  type: string;
  title: string | null;
  description: string | null;
  owner: string;
  price: number;
  paused: boolean;
  /** The creator wants no search engine to list the page. */
  noindex: boolean;
  /** The creator keeps it out of every list too. */
  unlisted: boolean;
  /** The creator asks no price. */
  free: boolean;
  size: number | null;
  mediaType: string | null;
  cover: Cover | null;
  /** UTC milliseconds. */
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
  mine: boolean;
  /** The content when this viewer has access, else null; looked up once. */
  unlock(): Promise<UnlockedContent | null>;
  isSuspended(): Promise<boolean>;
  /** How this viewer last tried to buy it. */
  findLastCheckout(): Promise<Purchase | undefined>;
  findSeller(): Promise<string | null>;
  /** Why the files on sale cannot be sold, a sentence for the owner; null for everybody else. */
  findFault(): Promise<string | null>;
}

export function presentLink(readers: LinkReaders, viewer: Viewer, link: Link): PresentedLink {
  const { db } = readers;
  let content: Promise<UnlockedContent | null> | undefined;
  return {
    id: link.id,
    type: link.type,
    title: link.title,
    description: link.description,
    owner: link.owner_id,
    price: link.price_cents,
    paused: link.paused === 1,
    noindex: link.noindex === 1,
    unlisted: link.unlisted === 1,
    free: link.unlocked === 1,
    size: link.size_bytes,
    mediaType: link.media_type,
    cover: coverOf(link),
    createdAt: link.created_at,
    updatedAt: link.updated_at,
    deletedAt: link.deleted_at,
    mine: viewer.creatorId === link.owner_id,
    unlock: () => (content ??= unlock(db, viewer, link)),
    isSuspended: () => isAccessSuspended(db, viewer, link),
    findLastCheckout: () => findLastCheckout(db, viewer, link.id),
    findSeller: () => readers.findSeller(link.owner_id),
    findFault: async () => (viewer.creatorId === link.owner_id ? findFault(readers, link) : null),
  };
}

async function findFault({ db, store }: LinkReaders, link: Link): Promise<string | null> {
  for (const file of await filesOfLink(db, link.id)) {
    const damage = await findDamage(store, file);
    if (damage) {
      return `The stored file “${file.name}” ${damage}. It is neither sold nor delivered until the operator restores it from a backup. You can also upload it again and sell it with a new link.`;
    }
  }
  return null;
}

export function coverOf({ cover, cover_width: width, cover_height: height }: Link): Cover | null {
  return cover && width && height ? { url: `/covers/${cover}.webp`, width, height } : null;
}

async function unlock(db: Database, viewer: Viewer, link: Link): Promise<UnlockedContent | null> {
  const rights = await findRights(db, viewer, link);
  if (rights.length === 0) return null;
  let found: Promise<StoredFile[]> | undefined;
  const files = () => (found ??= filesByRights(db, link, rights).then(filesOf));
  const isBought = rights[0]?.kind === 'grant';
  return {
    url: link.url,
    key: async () => (isBought ? ((await files())[0]?.key ?? null) : link.key),
    files,
  };
}

const filesOf = (accessible: AccessibleFile[]) => accessible.map(({ file }) => file);

/** A link this viewer may know of: deleted and taken-down ones exist only for who has access. */
export async function findVisibleLink(
  readers: LinkReaders,
  viewer: Viewer,
  link: Link | undefined,
): Promise<PresentedLink | null> {
  if (!link) return null;
  const presented = presentLink(readers, viewer, link);
  const offered = link.deleted_at === null && link.taken_down_at === null;
  return offered || (await presented.unlock()) ? presented : null;
}
