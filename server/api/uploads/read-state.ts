import { finishUpload } from '../../domain/files/finish-upload.ts';
import type { StoredFile } from '../../domain/files/tables.ts';
import type { UploadDeps } from './upload-deps.ts';

/**
 * How far an upload has come: what is on the disk counts. One whose last byte arrived before the
 * process died is finished now.
 */
export async function readOffset(deps: UploadDeps, upload: StoredFile): Promise<number> {
  if (upload.finished_at !== null) return upload.size_bytes;
  const offset = (await deps.store.sizeOf(upload.blob)) ?? 0;
  if (offset === upload.size_bytes) await finishUpload(deps.db, deps.store, upload, deps.now());
  return offset;
}

/** Names the key for createPaywallLink; encoded, because headers carry no other script. */
export function stateHeaders(upload: StoredFile, offset: number): Record<string, string> {
  return {
    'upload-offset': String(offset),
    'upload-length': String(upload.size_bytes),
    'upload-key': encodeURIComponent(upload.key),
  };
}
