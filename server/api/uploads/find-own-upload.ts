import type { FastifyRequest } from 'fastify';
import type { User } from '../../domain/accounts/viewer.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { findUpload } from '../../domain/files/queries.ts';
import type { StoredFile } from '../../domain/files/tables.ts';
import type { UploadDeps } from './upload-deps.ts';

/** @throws DomainError UNAUTHORIZED */
export async function requireUser(deps: UploadDeps, request: FastifyRequest): Promise<User> {
  const { user } = await deps.findViewer(request);
  if (user) return user;
  throw new DomainError('UNAUTHORIZED', 'Sign in to upload files.');
}

/**
 * The upload in the URL. Another creator's looks like one that does not exist.
 * @throws DomainError UPLOAD_NOT_FOUND
 */
export async function findOwnUpload(
  deps: UploadDeps,
  owner: User,
  request: FastifyRequest,
): Promise<StoredFile> {
  const { blob } = request.params as { blob: string };
  const upload = await findUpload(deps.db, owner.id, blob);
  if (upload) return upload;
  throw new DomainError('UPLOAD_NOT_FOUND', 'There is no such upload.');
}
