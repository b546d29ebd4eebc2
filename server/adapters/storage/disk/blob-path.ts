import { join } from 'node:path';

const BLOB_NAME = /^[0-9a-f]{32}$/;

export function isBlobName(name: string): boolean {
  return BLOB_NAME.test(name);
}

/** The file of a blob. @throws Error for anything but an opaque name: nothing else is a path. */
export function blobPath(folder: string, blob: string): string {
  if (!isBlobName(blob)) throw new Error('Not the name of a blob');
  return join(folder, blob);
}
