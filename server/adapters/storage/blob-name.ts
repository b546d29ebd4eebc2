const BLOB_NAME = /^[0-9a-f]{32}$/;

export function isBlobName(name: string): boolean {
  return BLOB_NAME.test(name);
}

/** @throws Error for anything but an opaque name: nothing else becomes a path or a key */
export function requireBlobName(name: string): string {
  if (!isBlobName(name)) throw new Error('Not the name of a blob');
  return name;
}
