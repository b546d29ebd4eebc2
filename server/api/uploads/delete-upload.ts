import type { FastifyReply, FastifyRequest } from 'fastify';
import { abandonUpload } from '../../domain/files/abandon-upload.ts';
import { findOwnUpload, requireCreator } from './find-own-upload.ts';
import type { UploadDeps } from './upload-deps.ts';
import type { UploadLocks } from './upload-locks.ts';

/** DELETE /uploads/:blob: cancels an upload that is not finished. */
export function deleteUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(deps, request);
    const { blob } = await findOwnUpload(deps, ownerId, request);
    using _lock = await locks.acquire(blob);
    await abandonUpload(deps.db, deps.store, blob);
    return reply.status(204).send();
  };
}
