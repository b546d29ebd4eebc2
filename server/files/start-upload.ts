import { createHash, randomBytes } from 'node:crypto';
import { fact } from '../../contract/fact.ts';
import { sizeOf } from '../../contract/format.ts';
import { MAX_FILE_NAME_BYTES, STORAGE_PREFIX } from '../../contract/limits.ts';
import { checkFilePath, checkFileSize } from '../../contract/link-rules.ts';
import { lastPart } from '../../contract/links.ts';
import type { Database } from '../ground/database/tables.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { isThere } from '../ground/lib/is-there.ts';
import { type AdmissionContext, admitUpload } from './admit-upload.ts';
import { reserveLinkId } from './link-id.ts';
import { findUpload, readUsage } from './queries.ts';
import { countUpload, findOwnQuota } from './quota.ts';
import type { StoredFile } from './tables.ts';

export interface UploadInput {
  ownerId: string;
  /** The link id the client chose; null for a new one. */
  linkId: string | null;
  /** As it was sent, with folders before it or none. */
  fileName: string;
  mediaType: string;
  sizeBytes: number;
  /** Repeated with the same one, the same upload is found again. */
  idempotencyKey?: string | null;
}

/** What an account may upload, unless the operator allows it something else. */
export interface UploadLimits {
  maxFileBytes: number;
  /** Of all files of an account, including open uploads. */
  accountQuotaBytes: number;
  /** Uploads that an account can start a UTC day; null for any number. */
  quotaUploadsADay: number | null;
}

/**
 * Opens an upload: reserves the link id, the key and the space before a byte is read.
 * @throws DomainError FILE_EMPTY, FILE_TOO_LARGE, INVALID_INPUT for too long a path, STORAGE_FULL,
 * QUOTA_EXCEEDED, TOO_MANY_OPEN_UPLOADS, INVALID_LINK_ID, LINK_ID_TAKEN, KEY_TAKEN
 */
export async function startUpload(
  context: AdmissionContext & UploadLimits,
  input: UploadInput,
): Promise<StoredFile> {
  validateFileSize(input.sizeBytes, context.maxFileBytes);
  const path = sanitizeFilePath(input.fileName);
  const fault = checkFilePath(path);
  if (fault) throw new DomainError('INVALID_INPUT', fault);
  return admitUpload(context, async (trx, now) => {
    const blob = await nameBlob(trx, input);
    const opened = input.idempotencyKey && (await findUpload(trx, input.ownerId, blob));
    if (opened) return opened;
    const own = await findOwnQuota(trx, input.ownerId);
    await refuseOverQuota(trx, input, own?.bytes ?? context.accountQuotaBytes);
    const uploadsADay = own?.uploads_a_day ?? context.quotaUploadsADay;
    await countUpload(trx, input.ownerId, uploadsADay, now);
    return insertUpload(trx, input, { blob, name: path }, now);
  });
}

/** A client whose answer was lost names the same upload by the same key: its blob says so. */
async function nameBlob(
  db: Database,
  { ownerId, idempotencyKey, ...input }: UploadInput,
): Promise<string> {
  const fresh = randomBytes(16).toString('hex');
  if (!idempotencyKey) return fresh;
  const said = JSON.stringify([
    ownerId,
    idempotencyKey,
    input.linkId,
    input.fileName,
    input.sizeBytes,
  ]);
  const blob = createHash('sha256').update(said).digest('hex').slice(0, fresh.length);
  // One that is about to be removed is never begun again.
  const unneeded = db.selectFrom('unneeded_blob').select('blob').where('blob', '=', blob);
  return (await isThere(unneeded)) ? fresh : blob;
}

/** The storage key of a file, by its name as it is kept. */
export const keyOf = (linkId: string, name: string) => `${STORAGE_PREFIX}${linkId}-${name}`;

async function insertUpload(
  db: Database,
  input: UploadInput,
  { blob, name }: Pick<StoredFile, 'blob' | 'name'>,
  now: number,
): Promise<StoredFile> {
  const { ownerId } = input;
  const linkId = await reserveLinkId(db, { ownerId, id: input.linkId }, now);
  const file = await db
    .insertInto('file')
    .values({
      key: keyOf(linkId, name),
      blob,
      owner_id: ownerId,
      link_id: linkId,
      name,
      size_bytes: input.sizeBytes,
      media_type: input.mediaType,
      created_at: now,
      finished_at: null,
      sha256: null,
      checked_at: null,
      refused_because: null,
      facts: null,
      crc32: null,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (file) return file;
  throw new DomainError(
    'KEY_TAKEN',
    fact("The link '{linkId}' already has a file named '{name}'.", { linkId, name }),
  );
}

/** @throws DomainError FILE_EMPTY, FILE_TOO_LARGE */
function validateFileSize(sizeBytes: number, maxFileBytes: number): void {
  const fault = checkFileSize(sizeBytes, maxFileBytes);
  if (fault) throw new DomainError(sizeBytes === 0 ? 'FILE_EMPTY' : 'FILE_TOO_LARGE', fault);
}

/** Per account, at the same time; one that is not continued is removed after a day. */
export const MAX_OPEN_UPLOADS = 100;
/** Including deleted files in quarantine, an account can use this many quotas. */
export const WITH_DELETED = 2;

/**
 * Run in the transaction that opens the upload, where uploads are opened one at a time.
 * @throws DomainError QUOTA_EXCEEDED, TOO_MANY_OPEN_UPLOADS
 */
async function refuseOverQuota(
  trx: Database,
  { ownerId, sizeBytes }: { ownerId: string; sizeBytes: number },
  quotaBytes: number,
): Promise<void> {
  const { usedBytes, openUploads, deletedBytes } = await readUsage(trx, ownerId);
  if (openUploads >= MAX_OPEN_UPLOADS) {
    throw new DomainError(
      'TOO_MANY_OPEN_UPLOADS',
      fact(
        'You have {count} unfinished uploads. Finish or cancel one of them first; an upload that is not continued is removed after a day.',
        { count: MAX_OPEN_UPLOADS },
      ),
    );
  }
  if (usedBytes + sizeBytes > quotaBytes) {
    throw new DomainError(
      'QUOTA_EXCEEDED',
      fact(
        'Your files, including unfinished uploads, use {used} of your account’s {quota}, and this one is {size}. Delete files that you no longer sell, or ask the operator of this site for more space.',
        { used: sizeOf(usedBytes), quota: sizeOf(quotaBytes), size: sizeOf(sizeBytes) },
      ),
    );
  }
  // Otherwise, uploading and deleting in turn would fill the disk.
  if (usedBytes + deletedBytes + sizeBytes > quotaBytes * WITH_DELETED) {
    throw new DomainError(
      'QUOTA_EXCEEDED',
      fact(
        'Deleted files are kept for 30 days, and yours still use {deleted}. Together with the {used} of your other files, that leaves no room for this one ({size}). Please try again later, or ask the operator of this site for more space.',
        { deleted: sizeOf(deletedBytes), used: sizeOf(usedBytes), size: sizeOf(sizeBytes) },
      ),
    );
  }
}

/** Joiners are not among them: emoji and several scripts need them. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff]/gu;

const FALLBACK = 'file';

/** An extension as file systems and people understand it: short and without spaces. */
const EXTENSION = /\.[^.\s]{1,16}$/u;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Where a path begins on Windows. */
const DRIVE = /^[a-z]:$/i;

/** What names no file nor folder, also where dots and spaces at the end are left out. */
const NAMELESS = /^[.\s]*$/u;

/**
 * The name under which a file is kept, with the folders that it lies in before it: "a/b/c.txt". Each
 * part is without control and bidi characters, has at most 255 bytes of UTF-8, and is never empty nor
 * made of dots alone. Quotes, emoji, every script and a dot at the beginning stay. A backslash
 * separates parts as a slash does. A path that begins at a root or climbs out of its folder tells
 * where the file lies on the sender's disk, which is nobody's business: only its last part is kept.
 */
export function sanitizeFilePath(path: string): string {
  const parts = path
    .toWellFormed()
    .split(/[/\\]/u)
    .map((part) => shortenName(clean(part)));
  const named = parts.filter((part) => !NAMELESS.test(part));
  const isRooted = parts[0] === '' || DRIVE.test(named[0] ?? '');
  const isRelative = !isRooted && !parts.includes('..');
  return (isRelative ? named : named.slice(-1)).join('/') || FALLBACK;
}

/** The same of a name that stands by itself. */
export function sanitizeFileName(name: string): string {
  return lastPart(sanitizeFilePath(name));
}

function clean(part: string): string {
  return part.normalize('NFC').replace(UNSAFE, '').trim().normalize('NFC');
}

/** Cuts the stem, not the extension, between two characters as a person sees them. */
export function shortenName(name: string): string {
  if (byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return cutStem(stem, extension) + extension;
}

/** As much of a stem as leaves a name room for what ends it. */
export function cutStem(stem: string, end: string): string {
  const room = MAX_FILE_NAME_BYTES - byteLength(end);
  const characters = Array.from(graphemes.segment(stem), ({ segment }) => segment);
  // A single character can be longer than any name: then it is cut between its code points.
  return (takeWhileRoom(characters, room) || takeWhileRoom([...stem], room)).trimEnd();
}

function takeWhileRoom(pieces: string[], room: number): string {
  let kept = '';
  let used = 0;
  for (const piece of pieces) {
    used += byteLength(piece);
    if (used > room) break;
    kept += piece;
  }
  return kept;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const MAX_MEDIA_TYPE_LENGTH = 127;
const UNKNOWN_TYPE = 'application/octet-stream';

export function validMediaType(text: string): string {
  return text.length <= MAX_MEDIA_TYPE_LENGTH && MEDIA_TYPE.test(text)
    ? text.toLowerCase()
    : UNKNOWN_TYPE;
}
