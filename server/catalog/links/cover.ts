import { randomBytes } from 'node:crypto';
import type { LinkFace } from '../../../contract/drawn-cover.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { refuseWhenFull, requireRoom } from '../../files/admit-upload.ts';
import type { FileStore } from '../../files/file-store.ts';
import { quarantineBlob, recordNeeded, recordUnneeded } from '../../files/unneeded-blobs.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { findOwnLink, type LinkAuthor } from './queries.ts';
import type { Link } from './tables.ts';

/** What the picture of a link, or of a seller's page, shows that other sites put beside its address. */
export interface Card {
  /** Eight hexadecimal digits, from which its key and its cover are drawn. */
  id: string;
  name: string;
  /** Of a link. */
  seller: string | null;
  /** What kind of thing a link sells, in a word: "PDF"; null for a page. */
  kind: string | null;
  /** "$4.99"; of a page its address. */
  price: string;
  siteName: string;
  isPage?: true;
  /** The cover as an encoded image. */
  cover: Uint8Array | null;
}

/** Draws a card. @returns a PNG of CARD_WIDTH by CARD_HEIGHT pixels */
export type DrawCard = (card: Card) => Promise<Buffer>;

/** Longer than any request, so that what is being written is not swept. */
export const WRITTEN_WITHIN_MS = 60 * 60 * 1000;

type CoverStore = Pick<
  FileStore,
  'openForAppend' | 'makeDurable' | 'remove' | 'quarantine' | 'measureSpace'
>;

const NO_ROOM = 'The server does not have enough space for this picture. Please try again later.';

export interface PictureContext extends DatabaseContext {
  store: CoverStore;
  /** Called for an unneeded picture that could not be removed and stays until the next sweep. */
  notRemoved(error: unknown): void;
}

/**
 * Puts a picture, or none (null), in the place of another. Each has a new name, so that its address
 * can be cached forever.
 * @param exchange names the new blob in a row, and tells which one that row named before
 * @throws DomainError STORAGE_FULL, and whatever `exchange` throws
 */
export async function replacePicture<Exchanged extends { old: string | null }>(
  { db, store, notRemoved, now }: PictureContext,
  picture: PreparedCover | null,
  exchange: (trx: DatabaseTransaction, blob: string | null) => Promise<Exchanged>,
): Promise<Exchanged> {
  const replacedAt = now();
  const blob = picture && randomBytes(16).toString('hex');
  let mayBeKept = false;
  try {
    if (blob) {
      await requireRoom(store, picture.bytes.length, NO_ROOM);
      await refuseWhenFull(recordUnneeded(db, blob, replacedAt + WRITTEN_WITHIN_MS));
      await refuseWhenFull(writeBlob(store, blob, picture.bytes));
    }
    const exchanged = await transaction(db, async (trx) => {
      const done = await exchange(trx, blob);
      if (blob) await recordNeeded(trx, blob);
      if (done.old) await recordUnneeded(trx, done.old, replacedAt);
      // A commit that fails may still be found to have happened: then the picture is needed.
      mayBeKept = true;
      return done;
    });
    // A failure from here on must not cost the row its current picture.
    const { old } = exchanged;
    if (old) await quarantineBlob(db, store, old, replacedAt).catch(notRemoved);
    return exchanged;
  } catch (error) {
    if (blob && !mayBeKept) await store.remove(blob).catch(notRemoved);
    throw error;
  }
}

interface SetCoverInput {
  author: LinkAuthor;
  /** Of the link. */
  id: string;
  cover: PreparedCover | null;
}

/**
 * Replaces a link's cover, or removes it (null).
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED, STORAGE_FULL
 */
export async function setCover(
  context: PictureContext,
  { author, id, cover }: SetCoverInput,
): Promise<Link> {
  const { link } = await replacePicture(context, cover, async (trx, blob) => {
    const own = await findOwnLink(trx, author, id);
    // Written twice: the first write locks the row, so that what it replaces is known for sure.
    const locked = await trx
      .updateTable('link')
      .set((update) => ({ version: update('version', '+', 1), updated_at: context.now() }))
      .where('id', '=', own.id)
      .where('deleted_at', 'is', null)
      .returning('cover')
      .executeTakeFirst();
    if (!locked) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    const changed = await trx
      .updateTable('link')
      .set(cover ? { cover: blob, cover_width: cover.width, cover_height: cover.height } : NO_COVER)
      .where('id', '=', own.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    announce(trx, { kind: 'link-updated', id: own.id, ownerId: own.owner_id });
    return { link: changed, old: locked.cover };
  });
  return link;
}

/** Writes a small blob as a whole; resolves once it would survive a power cut. */
export async function writeBlob(
  store: Pick<FileStore, 'openForAppend' | 'makeDurable'>,
  blob: string,
  bytes: Uint8Array,
): Promise<void> {
  const writer = await store.openForAppend(blob, 0, bytes.length);
  try {
    await writer.write([bytes]);
  } finally {
    await writer.close();
  }
  await store.makeDurable(blob);
}

/** A cover as buyers get it: re-encoded, without metadata. */
export interface PreparedCover {
  /** WebP. */
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * Makes a cover from an uploaded picture, or the smaller picture of a seller.
 * @throws DomainError INVALID_IMAGE if it is not a picture, is damaged or too large to be decoded
 */
export type PrepareCover = (picture: Buffer, use?: 'cover' | 'seller') => Promise<PreparedCover>;

/** The row values of a link without a picture; its former blob is recorded as unneeded. */
export const NO_COVER = { cover: null, cover_width: null, cover_height: null };

/** Whether a link on sale has this blob as its cover. */
export async function isCover(db: Database, blob: string): Promise<boolean> {
  const link = await db
    .selectFrom('link')
    .select('id')
    .where('cover', '=', blob)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .executeTakeFirst();
  return link !== undefined;
}

/** The columns that a link's face is read from. */
export const FACE = [
  'link.type',
  'link.media_type',
  'link.cover',
  'link.cover_width',
  'link.cover_height',
  'link.taken_down_at',
] as const;

type FaceRow = Pick<
  Link,
  'type' | 'media_type' | 'cover' | 'cover_width' | 'cover_height' | 'taken_down_at'
>;

/** The cover of a link that was taken down is shown to nobody. */
export const faceOf = (link: FaceRow): LinkFace => ({
  type: link.type,
  mediaType: link.media_type,
  cover: link.taken_down_at === null ? coverOf(link) : null,
});

export function coverOf({
  cover,
  cover_width: width,
  cover_height: height,
}: Pick<Link, 'cover' | 'cover_width' | 'cover_height'>): LinkFace['cover'] {
  return cover && width && height ? { url: addressOfCover(cover), width, height } : null;
}

/** A path of this site, which a seller's picture has too. */
export const addressOfCover = (blob: string) => `/covers/${blob}.webp`;
