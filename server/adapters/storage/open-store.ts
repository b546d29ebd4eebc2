import type { FileStore } from '../../files/file-store.ts';
import type { Database } from '../../ground/database/tables.ts';
import { openDiskStore } from './disk-store.ts';
import type { Bucket } from './s3-client.ts';

interface Options {
  dataDir: string;
  s3: (Bucket & { direct: boolean }) | null;
  /** Asked only once it is open. */
  db(): Database;
  /** UTC milliseconds. */
  now(): number;
  groupReads?: boolean;
  minFreeDiskBytes?: number | null;
}

/** Opens where files are kept: the bucket that is configured, else the data folder. */
export async function openStore({ s3, dataDir, ...options }: Options): Promise<FileStore> {
  if (!s3) return openDiskStore(dataDir, options);
  // Who needs it alone bears its weight.
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store({ ...s3, ...options });
}
