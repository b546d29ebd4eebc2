import type { FastifyReply, FastifyRequest } from 'fastify';
import { abandonUpload } from '../../domain/files/abandon-upload.ts';
import { startUpload } from '../../domain/files/start-upload.ts';
import type { StoredFile } from '../../domain/files/tables.ts';
import { requireCreator } from './find-own-upload.ts';
import { parseMetadata } from './parse-metadata.ts';
import { stateHeaders } from './read-state.ts';
import { receiveBytes } from './receive-bytes.ts';
import { carriesBytes, readByteCount, TusError } from './tus.ts';
import type { UploadDeps } from './upload-deps.ts';
import type { UploadLocks } from './upload-locks.ts';

/** POST /uploads: opens an upload, and takes its first bytes when the request carries them. */
export function createUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(deps, request);
    await deps.allowUpload(ownerId);
    if (request.headers['upload-defer-length'] !== undefined) {
      throw new TusError(400, 'Upload-Defer-Length is not possible: send Upload-Length.');
    }
    const sizeBytes = readByteCount(request, 'Upload-Length');
    const metadata = parseMetadata(request.headers['upload-metadata']);
    const input = { ownerId, sizeBytes, ...metadata };
    const upload = await startUpload(deps.db, deps.store, input, deps, deps.now());
    const offset = carriesBytes(request) ? await receiveFirst(deps, locks, request, upload) : 0;
    return reply
      .status(201)
      .headers(stateHeaders(upload, offset))
      .header('location', `/uploads/${upload.blob}`)
      .send();
  };
}

/** A client that leaves before the answer never learns the upload's address: nothing stays. */
async function receiveFirst(
  deps: UploadDeps,
  locks: UploadLocks,
  request: FastifyRequest,
  upload: StoredFile,
): Promise<number> {
  using _lock = await locks.acquire(upload.blob);
  try {
    return await receiveBytes(deps, request, upload, 0, new AbortController().signal);
  } catch (error) {
    await abandonUpload(deps.db, deps.store, upload.blob);
    throw error;
  }
}
