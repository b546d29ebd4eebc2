import { z } from 'zod';
import type { BlobReader } from './file-store.ts';
import type { StoredFile } from './tables.ts';

/** What is read from a file's headers, as far as they say it. */
export interface FileFacts {
  /** Of a document. */
  pages?: number;
  /** Pixels. */
  width?: number;
  height?: number;
  /** How long it lasts. */
  seconds?: number;
}

/** Some bytes of a file; fewer at its end, none beyond it. */
export type ReadPart = (position: number, length: number) => Promise<Buffer>;

/** @throws whatever the store says while it is read */
export type ReadFacts = (
  reader: BlobReader,
  file: Pick<StoredFile, 'size_bytes' | 'media_type'>,
) => Promise<FileFacts>;

const HAVE_FACTS = /^(application\/pdf|image\/(?!svg)|audio\/(?!midi)|video\/)/;

export function mayHaveFacts(mediaType: string): boolean {
  return HAVE_FACTS.test(mediaType);
}

const whole = z.number().int().min(1).max(10_000_000).optional().catch(undefined);
const FACTS = z.object({
  pages: whole,
  width: whole,
  height: whole,
  /** At most four weeks. */
  seconds: z.number().positive().max(2_419_200).optional().catch(undefined),
});

/** Only what can be true: the file's maker may have written anything. */
export function sanitizeFacts(facts: unknown): FileFacts {
  const { width, height, ...rest } = FACTS.catch({}).parse(facts);
  return { ...rest, ...(width && height ? { width, height } : {}) };
}

/** What is known of a file; nothing where nothing was found. */
function factsOf({ facts }: Pick<StoredFile, 'facts'>): FileFacts {
  return facts === null ? {} : sanitizeFacts(JSON.parse(facts));
}

/** What everybody may know of a file on sale: not its name. */
export const showFacts = (file: StoredFile) => ({
  mediaType: file.media_type,
  size: file.size_bytes,
  ...factsOf(file),
});
