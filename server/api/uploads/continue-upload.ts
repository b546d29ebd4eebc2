import type { FastifyReply, FastifyRequest } from 'fastify';
import { readmitUpload } from '../../domain/files/admit-upload.ts';
import { findOwnUpload, requireCreator } from './find-own-upload.ts';
import { readOffset, stateHeaders } from './read-state.ts';
import { receiveBytes } from './receive-bytes.ts';
import { readByteCount, requireBytes, TusError } from './tus.ts';
import type { UploadDeps } from './upload-deps.ts';
import type { UploadLocks } from './upload-locks.ts';

/** PATCH /uploads/:blob: the bytes that follow Upload-Offset. */
export function continueUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(deps, request);
    requireBytes(request);
    const wanted = readByteCount(request, 'Upload-Offset');
    const { blob } = await findOwnUpload(deps, ownerId, request);
    const takeover = new AbortController();
    using _lock = await locks.acquire(blob, () => takeover.abort());
    // Whoever held the lock may have finished or deleted it.
    const upload = await findOwnUpload(deps, ownerId, request);
    const offset = await readOffset(deps, upload);
    if (wanted !== offset) {
      throw new TusError(409, `The upload stands at ${offset} bytes, not at ${wanted}.`);
    }
    if (offset < upload.size_bytes) await readmitUpload(deps.db, deps.store, upload, deps.now());
    const end = await receiveBytes(deps, request, upload, offset, takeover.signal);
    return reply.status(204).headers(stateHeaders(upload, end)).send();
  };
}
