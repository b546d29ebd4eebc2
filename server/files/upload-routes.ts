import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readmitUpload } from './admit-upload.ts';
import { abandonUpload } from './append-to-upload.ts';
import { endUnreadRequest, receiveBytes } from './receive-bytes.ts';
import { startUpload } from './start-upload.ts';
import type { StoredFile } from './tables.ts';
import {
  answerDiscovery,
  carriesBytes,
  findOwnUpload,
  formatMetadata,
  parseMetadata,
  readByteCount,
  readOffset,
  requireBytes,
  requireCreator,
  requireTus,
  stateHeaders,
  TUS_VERSION,
  TusError,
  type UploadDeps,
  UploadLocks,
} from './tus.ts';

/** tus 1.0.0 with creation, creation-with-upload and termination at /uploads. */
export function registerUploads(app: FastifyInstance, deps: UploadDeps): void {
  const locks = new UploadLocks();
  app.register((scope, _options, done) => {
    // The bytes are never parsed nor collected: each handler reads the request itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.addHook('onError', endUnreadRequest);
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'tus-resumable': TUS_VERSION, 'cache-control': 'no-store' });
    });
    const tus = { preHandler: requireTus };
    scope.post('/uploads', tus, createUpload(deps, locks));
    scope.head('/uploads/:blob', tus, describeUpload(deps, locks));
    scope.patch('/uploads/:blob', tus, continueUpload(deps, locks));
    scope.delete('/uploads/:blob', tus, deleteUpload(deps, locks));
    for (const [path, allow] of ROUTES) {
      scope.options(path, answerDiscovery(deps.maxFileBytes));
      const others = ['GET', 'PUT'].concat(path === '/uploads' ? ['PATCH', 'DELETE'] : ['POST']);
      scope.route({
        method: others,
        url: path,
        exposeHeadRoute: false,
        async handler(request, reply) {
          reply.header('allow', allow);
          throw new TusError(405, `${request.method} is not possible here; there is ${allow}.`);
        },
      });
    }
    done();
  });
}

/** What may be asked of the collection and of one upload. GET never serves the bytes. */
const ROUTES = [
  ['/uploads', 'POST, OPTIONS'],
  ['/uploads/:blob', 'HEAD, PATCH, DELETE, OPTIONS'],
] as const;

/** POST /uploads: opens an upload, and takes its first bytes when the request carries them. */
function createUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(request);
    await deps.limits.take('uploads', ownerId);
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

/** PATCH /uploads/:blob: the bytes that follow Upload-Offset. */
function continueUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(request);
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

/** DELETE /uploads/:blob: cancels an upload that is not finished. */
function deleteUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(request);
    const { blob } = await findOwnUpload(deps, ownerId, request);
    using _lock = await locks.acquire(blob);
    await abandonUpload(deps.db, deps.store, blob);
    return reply.status(204).send();
  };
}

/** HEAD /uploads/:blob: where to resume. */
function describeUpload(deps: UploadDeps, locks: UploadLocks) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = await requireCreator(request);
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
