import type { FastifyReply, FastifyRequest } from 'fastify';
import { findOwnUpload, requireCreator } from './find-own-upload.ts';
import { formatMetadata } from './parse-metadata.ts';
import { readOffset, stateHeaders } from './read-state.ts';
import type { UploadDeps } from './upload-deps.ts';
import type { UploadLocks } from './upload-locks.ts';

/** HEAD /uploads/:blob: where to resume. */
export function describeUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(deps, request);
    const { blob } = await findOwnUpload(deps, ownerId, request);
    using _lock = await locks.acquire(blob);
    const upload = await findOwnUpload(deps, ownerId, request);
    const metadata = { filename: upload.name, filetype: upload.media_type, id: upload.link_id };
    return reply
      .headers(stateHeaders(upload, await readOffset(deps, upload)))
      .header('upload-metadata', formatMetadata(metadata))
      .send();
  };
}
