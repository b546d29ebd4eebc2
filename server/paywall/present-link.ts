import { nameLink } from '../../contract/links.ts';
import { formatCents } from '../../contract/money.ts';
import { findRights, isAccessSuspended } from '../access/access.ts';
import { type AccessibleFile, filesByRights } from '../access/file-access.ts';
import type { Database } from '../database/tables.ts';
import { findDamage } from '../files/file-store.ts';
import type { StoredFile } from '../files/tables.ts';
import { builder } from '../graphql/builder.ts';
import type { Viewer } from '../lib/viewer.ts';
import { filesOfLink, findLink, type LinkReaders } from '../links/queries.ts';
import type { Link } from '../links/tables.ts';
import { findLastCheckout } from '../payments/queries.ts';
import type { Purchase } from '../payments/tables.ts';

/** What only a viewer with access ever sees of a link. */
interface UnlockedContent {
  url: string | null;
  /** Of the first of the files; null for a web address. */
  key(): Promise<string | null>;
  /** Looked up once; none for a web address. */
  files(): Promise<StoredFile[]>;
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

/** A link in the GraphQL schema: graphql/paywall-link.ts says its fields. */
export const PaywallLink = builder.objectRef<PresentedLink>('PaywallLink');

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

/** What everybody may know of a link on sale, for other sites to show. */
interface Offer {
  link: Pick<Link, 'id' | 'cover'>;
  /** The title, or how a link without one is named. */
  name: string;
  seller: string | null;
  /** "$4.99" or "Free" */
  price: string;
}

/** Null for what does not exist, was deleted or taken down. */
export async function findOffer(readers: LinkReaders, id: string): Promise<Offer | null> {
  const link = await findLink(readers.db, id);
  if (!link || link.deleted_at !== null || link.taken_down_at !== null) return null;
  return {
    link,
    name: nameLink(link),
    seller: await readers.findSeller(link.owner_id),
    price: link.unlocked === 1 ? 'Free' : `$${formatCents(link.price_cents)}`,
  };
}
