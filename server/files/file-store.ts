import { type Fact, fact, putIntoEnglish } from '../../contract/fact.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import type { StoredFile } from './tables.ts';

/** Where the bytes of files are stored. A blob has an opaque name, never a file's name. */
export interface FileStore {
  /** In words for the operator. */
  readonly place: string;
  /** Its name, where that is where. */
  readonly bucket?: string;
  /** Lets browsers exchange bytes with the store itself; null where the server passes them on. */
  readonly direct: DirectAccess | null;
  /** Bytes stored so far; null when there is no such blob. */
  sizeOf(blob: string): Promise<number | null>;
  /**
   * Opens a blob to be continued at its end, which must be `offset`; begins it when that is 0.
   * @param size of the whole blob, in bytes
   */
  openForAppend(blob: string, offset: number, size: number): Promise<BlobWriter>;
  openForReading(blob: string): Promise<BlobReader>;
  /** Resolves once the blob would survive a power cut. */
  makeDurable(blob: string): Promise<void>;
  /** Succeeds also when there is no such blob. */
  remove(blob: string): Promise<void>;
  /** The disk, in bytes: free, and in total. */
  measureSpace(): Promise<Space>;
  /** Writes a little and removes it again. @throws when nothing can be stored */
  probe(): Promise<void>;
  /** The names of the blobs. */
  list(): AsyncIterable<string>;
  /** When a blob's bytes last changed, ms; null when there is no such blob. */
  changedAt(blob: string): Promise<number | null>;
  /**
   * Sets a blob apart: nobody asks for it any more, and it is no longer listed.
   * @returns its bytes; 0 if there is no such blob
   */
  quarantine(blob: string): Promise<number>;
  /** Restores a blob from quarantine. */
  release(blob: string): Promise<void>;
  /**
   * Removes a blob from quarantine permanently.
   * @returns its bytes; 0 if there is no such blob
   */
  removeQuarantined(blob: string): Promise<number>;
  listQuarantined(): AsyncIterable<string>;
  openQuarantined(blob: string): Promise<BlobReader>;
  /** The id of the installation that the blobs belong to; null when none has claimed them. */
  readOwner(): Promise<string | null>;
  /** Claims the blobs for an installation; resolves once that would survive a power cut. */
  writeOwner(id: string): Promise<void>;
}

/** A store that speaks to browsers. Whatever it gives out can be used by whoever has it. */
export interface DirectAccess {
  /** An address that serves a blob for some minutes, with these headers. */
  addressOf(blob: string, headers: { disposition: string; mediaType: string }): string;
  /**
   * What of an upload is there: the numbers of its parts, from 1.
   * @param size of the whole blob, in bytes
   */
  describeParts(blob: string, size: number): Promise<{ partBytes: number; stored: number[] }>;
  /** The request that stores a part; null where there is no such part. */
  signPart(
    blob: string,
    size: number,
    part: { number: number; sha256: string },
  ): Promise<{ url: string; headers: Record<string, string> } | null>;
}

interface Space {
  free: number;
  total: number;
  /** What is to stay free, where the operator has set it. */
  minFree?: number | null;
}

export interface BlobWriter {
  /** Resolves when all of them were taken; they are not read again. */
  write(chunks: Uint8Array[]): Promise<void>;
  /** Resolves when all that was written is kept. */
  close(): Promise<void>;
}

export interface BlobReader {
  /** Reads into the buffer from a position in bytes; 0 at the end. */
  read(buffer: Uint8Array, length: number, position: number): Promise<number>;
  close(): Promise<void>;
}

/**
 * How the number of stored bytes of a finished file differs from what was uploaded, worded to
 * follow the file's name; null if it does not. Changed bytes are not noticed.
 */
export async function findDamage(
  store: Pick<FileStore, 'sizeOf'>,
  { blob, size_bytes: expected }: StoredFile,
): Promise<Fact | null> {
  const found = await store.sizeOf(blob);
  if (found === expected) return null;
  return found === null
    ? fact('is missing (it had {expected} bytes)', { expected })
    : fact('has {found} bytes instead of {expected} bytes', { found, expected });
}

/**
 * An incomplete file is neither sold nor delivered.
 * @throws DomainError FILE_DAMAGED with this message; its cause names the blob and the link
 */
export async function requireWhole(
  store: Pick<FileStore, 'sizeOf'>,
  file: StoredFile,
  linkId: string | null,
  message: string,
): Promise<void> {
  const damage = await findDamage(store, file);
  if (damage === null) return;
  const cause = new Error(
    `The blob ${file.blob} of the link ${linkId ?? file.link_id} ${putIntoEnglish(damage)}`,
  );
  throw new DomainError('FILE_DAMAGED', message, { cause });
}
