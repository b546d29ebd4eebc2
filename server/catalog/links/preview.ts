import { randomBytes } from 'node:crypto';
import { putIntoEnglish } from '../../../contract/fact.ts';
import { fittingPreview, PREVIEWS, type Preview } from '../../../contract/link-rules.ts';
import { requireRoom } from '../../files/admit-upload.ts';
import { type BlobReader, type FileStore, findDamage } from '../../files/file-store.ts';
import { isToBeChecked } from '../../files/queries.ts';
import type { StoredFile } from '../../files/tables.ts';
import { recordNeeded, recordUnneeded } from '../../files/unneeded-blobs.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { WRITTEN_WITHIN_MS, writeBlob } from './cover.ts';
import type { Link } from './tables.ts';

/** A part of a file that may be shown to everybody. */
export interface MadePreview {
  bytes: Uint8Array;
  mediaType: 'image/webp' | 'audio/mpeg' | 'audio/wav';
  /** Pixels; null for what is heard. */
  width: number | null;
  height: number | null;
}

/**
 * Makes a preview of a file, whatever is in it.
 * @param size of the file, in bytes
 * @returns null if none can be made of it
 */
export type DrawPreview = (
  reader: BlobReader,
  file: { size: number; preview: Exclude<Preview, 'none'> },
) => Promise<MadePreview | null>;

/** The row values of a link whose preview is not made; its former blob is recorded as unneeded. */
const NOT_MADE = {
  preview_blob: null,
  preview_media_type: null,
  preview_width: null,
  preview_height: null,
  preview_failed: 0,
};

/**
 * Lets a link show this preview from now on, in the transaction that has locked its row; its job
 * makes it. Nothing happens when the link shows it already.
 * @param link as it is now
 * @param before as it was; null for a new one
 * @param wanted null to keep the choice, as far as it fits what is sold now
 * @returns the link as it is after that
 * @throws DomainError INVALID_INPUT if no such preview can be made of what is sold
 */
export async function choosePreview(
  trx: DatabaseTransaction,
  link: Link,
  before: Link | null,
  wanted: string | null | undefined,
  now: number,
): Promise<Link> {
  const fitting = fittingPreview(link.media_type);
  const kept = link.preview === fitting ? fitting : 'none';
  const preview = wanted == null ? kept : parsePreview(wanted, fitting);
  const isSame = preview === link.preview && link.content_version === before?.content_version;
  // A choice that is made again is tried again.
  if (isSame && (wanted == null || link.preview_failed === 0)) return link;
  if (preview === 'none' && link.preview === 'none') return link;
  if (link.preview_blob) await recordUnneeded(trx, link.preview_blob, now);
  if (preview !== 'none') await enqueue(trx, 'make-preview', { linkId: link.id }, now);
  return trx
    .updateTable('link')
    .set({ ...NOT_MADE, preview })
    .where('id', '=', link.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function parsePreview(wanted: string, fitting: Preview | null): Preview {
  const preview = PREVIEWS.find((each) => each === wanted);
  if (preview === 'none' || (preview && preview === fitting)) return preview;
  throw new DomainError(
    'INVALID_INPUT',
    fitting
      ? `The preview of this link can be 'none' or '${fitting}'.`
      : 'No preview can be made of this link: only of a PDF, of a PNG, JPEG, WebP, AVIF or GIF picture, and of an MP3 or WAV recording.',
  );
}

/** Takes the previews of links that are no longer offered from their rows. */
export async function dropPreviews(trx: Database, ids: string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const shown = await trx
    .selectFrom('link')
    .where('id', 'in', ids)
    .where('preview_blob', 'is not', null)
    .select(['id', 'preview_blob'])
    .execute();
  for (const { id, preview_blob } of shown) {
    if (preview_blob) await recordUnneeded(trx, preview_blob, now);
    await trx.updateTable('link').set(NOT_MADE).where('id', '=', id).execute();
  }
}

export interface PreviewContext extends DatabaseContext {
  store: Pick<
    FileStore,
    'openForReading' | 'openForAppend' | 'makeDurable' | 'measureSpace' | 'remove' | 'sizeOf'
  >;
  drawPreview: DrawPreview;
}

/**
 * Makes the preview that a link is to show. Repeating it is harmless, and so is a link that was
 * changed since. What is not checked yet is never opened.
 * @param again runs it again at a time in UTC milliseconds
 * @throws Error when bytes of the file are missing or nobody will check it, DomainError STORAGE_FULL, and whatever the store
 * says
 */
export async function makePreview(
  context: PreviewContext,
  linkId: string,
  again: (at: number) => void,
): Promise<void> {
  const { db, store, now } = context;
  const link = await findWaiting(db, linkId);
  if (!link || link.preview === 'none' || link.key === null) return;
  const file = await db
    .selectFrom('file')
    .selectAll()
    .where('key', '=', link.key)
    .executeTakeFirst();
  if (!file) return;
  if (file.checked_at === null) {
    if (await isToBeChecked(db, file)) return again(now() + ASKED_AGAIN_MS);
    throw new Error(`The file ${file.key} is unchecked, and its job check-file was given up`);
  }
  const made = file.refused_because === null ? await draw(context, link.preview, file) : null;
  if (!made) {
    await transaction(db, (trx) => show(trx, link, { preview_failed: 1 }));
    return;
  }
  const blob = randomBytes(16).toString('hex');
  await requireRoom(store, made.bytes.length, NO_ROOM);
  await recordUnneeded(db, blob, now() + WRITTEN_WITHIN_MS);
  await writeBlob(store, blob, made.bytes);
  const isShown = await transaction(db, async (trx) => {
    const isStillWanted = await show(trx, link, {
      preview_blob: blob,
      preview_media_type: made.mediaType,
      preview_width: made.width,
      preview_height: made.height,
    });
    if (isStillWanted) await recordNeeded(trx, blob);
    return isStillWanted;
  });
  // It stays on record as unneeded: what fails here is swept.
  if (!isShown) await store.remove(blob);
}

async function draw(
  { store, drawPreview }: PreviewContext,
  preview: Exclude<Preview, 'none'>,
  file: StoredFile,
): Promise<MadePreview | null> {
  const damage = await findDamage(store, file);
  if (damage) throw new Error(`The blob ${file.blob} ${putIntoEnglish(damage)}`);
  const reader = await store.openForReading(file.blob);
  try {
    return await drawPreview(reader, { size: file.size_bytes, preview });
  } finally {
    await reader.close();
  }
}

/** How soon a file that is not checked yet is looked at again. */
const ASKED_AGAIN_MS = 5_000;
const NO_ROOM = 'The server does not have enough space for this preview.';

const findWaiting = (db: Database, id: string) =>
  db
    .selectFrom('link')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('preview_blob', 'is', null)
    .where('preview_failed', '=', 0)
    .executeTakeFirst();

/** @returns whether the link still waits for it */
async function show(
  trx: DatabaseTransaction,
  link: Link,
  made: Partial<Omit<Link, 'id' | 'version'>>,
): Promise<boolean> {
  const shown = await trx
    .updateTable('link')
    .set((update) => ({ ...made, version: update('version', '+', 1) }))
    .where('id', '=', link.id)
    .where('deleted_at', 'is', null)
    .where('content_version', '=', link.content_version)
    .where('preview', '=', link.preview)
    .where('preview_blob', 'is', null)
    .executeTakeFirst();
  if (shown.numUpdatedRows === 0n) return false;
  announce(trx, { kind: 'link-updated', id: link.id, ownerId: link.owner_id });
  return true;
}

/** The media type of a blob that a link on sale shows as its preview; no other is ever sent. */
export async function findShownPreview(db: Database, blob: string): Promise<string | null> {
  const link = await db
    .selectFrom('link')
    .select('preview_media_type')
    .where('preview_blob', '=', blob)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .executeTakeFirst();
  return link?.preview_media_type ?? null;
}
