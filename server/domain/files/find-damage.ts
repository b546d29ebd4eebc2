import { DomainError } from '../domain-error.ts';
import type { FileStore } from './file-store.ts';
import type { StoredFile } from './tables.ts';

/**
 * How the stored bytes of a finished file differ in number from what was uploaded, in words that
 * follow the name of the file; null when they do not. Changed bytes are not noticed.
 */
export async function findDamage(
  store: Pick<FileStore, 'sizeOf'>,
  { blob, size_bytes: expected }: StoredFile,
): Promise<string | null> {
  const found = await store.sizeOf(blob);
  if (found === expected) return null;
  const sizes = `${expected.toLocaleString('en')} bytes`;
  return found === null
    ? `is missing (it had ${sizes})`
    : `has ${found.toLocaleString('en')} bytes instead of ${sizes}`;
}

/**
 * Half a file is neither sold nor delivered.
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
  const cause = new Error(`The blob ${file.blob} of the link ${linkId ?? file.link_id} ${damage}`);
  throw new DomainError('FILE_DAMAGED', message, { cause });
}
