import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/domain-error.ts';
import { findUpload } from '../../domain/files/queries.ts';
import type { StoredFile } from '../../domain/files/tables.ts';
import type { UploadDeps } from './upload-deps.ts';

/** Whose uploads these are. @throws DomainError UNAUTHORIZED */
export async function requireCreator(deps: UploadDeps, request: FastifyRequest): Promise<string> {
  const { creatorId } = await deps.findViewer(request);
  if (creatorId !== null) return creatorId;
  throw new DomainError('UNAUTHORIZED', 'Sign in to upload files.');
}

/**
 * The upload in the URL. Another creator's looks like one that does not exist.
 * @throws DomainError UPLOAD_NOT_FOUND
 */
export async function findOwnUpload(
  deps: UploadDeps,
  ownerId: string,
  request: FastifyRequest,
): Promise<StoredFile> {
  const { blob } = request.params as { blob: string };
  const upload = await findUpload(deps.db, ownerId, blob);
  if (upload) return upload;
  throw new DomainError('UPLOAD_NOT_FOUND', 'There is no such upload.');
}
