import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/domain-error.ts';
import { abandonWhenFull } from '../../domain/files/abandon-when-full.ts';
import { appendToUpload } from '../../domain/files/append-to-upload.ts';
import { finishUpload } from '../../domain/files/finish-upload.ts';
import type { StoredFile } from '../../domain/files/tables.ts';
import { readBatches } from './read-batches.ts';
import { TusError } from './tus.ts';
import type { UploadDeps } from './upload-deps.ts';

/** A connection that sends nothing for so long is gone; its client resumes on another. */
const IDLE_MS = 60_000;

/** The client left, or took over on another connection: there is nobody to answer (nginx's 499). */
class ClientLeft extends TusError {
  constructor(options?: ErrorOptions) {
    super(499, 'The client left during an upload.', options);
  }
}

/**
 * Stores what the request carries and finishes the upload with its last byte.
 * @returns the new offset
 * @throws DomainError FILE_TOO_LARGE, STORAGE_FULL, ClientLeft
 */
export async function receiveBytes(
  deps: UploadDeps,
  request: FastifyRequest,
  upload: StoredFile,
  offset: number,
  takeover: AbortSignal,
): Promise<number> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (offset + announced > upload.size_bytes) {
    throw new DomainError(
      'FILE_TOO_LARGE',
      'The request carries more bytes than Upload-Length announced.',
    );
  }
  return abandonWhenFull(deps.db, deps.store, upload.blob, async () => {
    const end = await appendToUpload(deps.store, upload, offset, body(request, takeover));
    if (end === upload.size_bytes) await finishUpload(deps.db, deps.store, upload, deps.now());
    return end;
  });
}

async function* body(
  { raw }: FastifyRequest,
  takeover: AbortSignal,
): AsyncGenerator<Uint8Array[], void> {
  const leave = () => raw.destroy();
  takeover.addEventListener('abort', leave);
  raw.setTimeout(IDLE_MS, leave);
  try {
    if (takeover.aborted) leave();
    yield* readBatches(raw);
  } catch (cause) {
    throw new ClientLeft({ cause });
  } finally {
    takeover.removeEventListener('abort', leave);
    raw.setTimeout(0);
  }
}
