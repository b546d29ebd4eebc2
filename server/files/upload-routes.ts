import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiCall } from '../edge/http/describe-calls.ts';
import type { Leases } from '../ground/lib/processes.ts';
import { readmitUpload } from './admit-upload.ts';
import { abandonUpload, UploadHashes } from './append-to-upload.ts';
import { partRoutes } from './part-routes.ts';
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
  readIdempotencyKey,
  readOffset,
  requireBytes,
  stateHeaders,
  TUS_VERSION,
  TusError,
  tusRoute,
  type UploadContext,
  UploadLocks,
} from './tus.ts';

/** tus 1.0.0 with creation, creation-with-upload and termination at /uploads. */
export const uploadRoutes: FastifyPluginAsync<
  Omit<UploadContext, 'hashes' | 'locks'> & { leases: Leases | null }
> = async (app, { leases, ...options }) => {
  const context = { ...options, hashes: new UploadHashes(), locks: new UploadLocks(leases) };
  // The bytes are never parsed nor collected: each handler reads the request itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
  app.addHook('onError', endUnreadRequest);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'tus-resumable': TUS_VERSION, 'cache-control': 'no-store' });
  });
  const { config, ...tus } = tusRoute(CALLS.create);
  const counted = { ...tus, config: { ...config, limit: { creator: 'uploads' } } } as const;
  app.post('/uploads', counted, createUpload(context));
  app.head('/uploads/:blob', tusRoute(CALLS.describe), describeUpload(context));
  app.patch('/uploads/:blob', tusRoute(CALLS.send), continueUpload(context));
  app.delete('/uploads/:blob', tusRoute(CALLS.cancel), deleteUpload(context));
  const { direct } = context.store;
  if (direct) await app.register(partRoutes, { uploads: context, direct });
  for (const [path, allow] of ROUTES) {
    app.options(path, answerDiscovery(context.maxFileBytes));
    const others = ['GET', 'PUT'].concat(path === '/uploads' ? ['PATCH', 'DELETE'] : ['POST']);
    app.route({
      method: others,
      url: path,
      exposeHeadRoute: false,
      config: { refuses: true },
      async handler(request, reply) {
        reply.header('allow', allow);
        throw new TusError(405, `${request.method} is not allowed here. Use ${allow}.`);
      },
    });
  }
};

const TUS_HEADERS = { 'tus-resumable': '1.0.0' };

const STATE_HEADERS = {
  'upload-offset': 'Bytes that arrived.',
  'upload-length': 'Bytes in all.',
  'upload-key': 'The percent-encoded key for createPaywallLink.',
};

/** The calls of tus 1.0.0, for programs. */
const CALLS = {
  create: {
    name: 'createUpload',
    summary: 'Opens an upload (tus 1.0.0), and takes its first bytes if it carries some.',
    headers: {
      ...TUS_HEADERS,
      'upload-length': 'Bytes of the whole file.',
      'upload-metadata':
        'filename, filetype, relativePath and id, each followed by its value in Base64.',
      'idempotency-key': 'Finds the same upload again where the answer was lost.',
    },
    body: 'application/offset+octet-stream',
    answers: {
      201: { says: 'Opened.', headers: { ...STATE_HEADERS, location: 'Of the upload.' } },
    },
  },
  describe: {
    name: 'describeUpload',
    summary: 'How much of an upload arrived.',
    headers: TUS_HEADERS,
    answers: { 200: { says: 'Its state.', headers: STATE_HEADERS } },
  },
  send: {
    name: 'continueUpload',
    summary: 'Takes the bytes that follow.',
    headers: { ...TUS_HEADERS, 'upload-offset': 'Bytes that arrived before.' },
    body: 'application/offset+octet-stream',
    answers: { 204: { says: 'They are kept.', headers: STATE_HEADERS } },
  },
  cancel: {
    name: 'cancelUpload',
    summary: 'Ends an upload and removes what arrived.',
    headers: TUS_HEADERS,
    answers: { 204: { says: 'It is gone.' } },
  },
} satisfies Record<string, ApiCall>;

/** The methods of the collection and of one upload. GET never serves the bytes. */
const ROUTES = [
  ['/uploads', 'POST, OPTIONS'],
  ['/uploads/:blob', 'HEAD, PATCH, DELETE, OPTIONS'],
] as const;

/** Where an upload's parts are signed, for clients that send them straight to the store. */
function partsHeader({ store }: UploadContext, { blob }: StoredFile): Record<string, string> {
  return store.direct ? { 'upload-parts': `/uploads/${blob}/parts` } : {};
}

/** POST /uploads: opens an upload, and stores its first bytes if the request carries them. */
function createUpload(context: UploadContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ownerId = request.creatorId;
    await context.requireSeller(ownerId);
    if (request.headers['upload-defer-length'] !== undefined) {
      throw new TusError(400, 'Upload-Defer-Length is not supported: send Upload-Length.');
    }
    const sizeBytes = readByteCount(request, 'Upload-Length');
    const metadata = parseMetadata(request.headers['upload-metadata']);
    const withBytes = carriesBytes(request);
    const idempotencyKey = withBytes ? null : readIdempotencyKey(request);
    const input = { ownerId, sizeBytes, idempotencyKey, ...metadata };
    const upload = await startUpload(context, input);
    let offset = 0;
    if (withBytes) offset = await receiveFirst(context, request, upload);
    else if (idempotencyKey) offset = await readOffset(context, upload);
    return reply
      .status(201)
      .headers(stateHeaders(upload, offset))
      .headers(partsHeader(context, upload))
      .header('location', `/uploads/${upload.blob}`)
      .send();
  };
}

/**
 * A client that disconnects before the response never learns the upload's address: nothing is kept.
 */
async function receiveFirst(
  context: UploadContext,
  request: FastifyRequest,
  upload: StoredFile,
): Promise<number> {
  await using _lock = await context.locks.acquire(upload.blob);
  try {
    return await receiveBytes(context, request, upload, 0, new AbortController().signal);
  } catch (error) {
    await abandonUpload(context, upload.blob);
    throw error;
  }
}

/** PATCH /uploads/:blob: the bytes that follow Upload-Offset. */
function continueUpload(context: UploadContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    requireBytes(request);
    const wanted = readByteCount(request, 'Upload-Offset');
    const { blob } = await findOwnUpload(context, request);
    const takeover = new AbortController();
    await using _lock = await context.locks.acquire(blob, () => takeover.abort());
    // Whoever held the lock may have finished or deleted it.
    const upload = await findOwnUpload(context, request);
    const offset = await readOffset(context, upload);
    if (wanted !== offset) {
      reply.header('upload-offset', offset);
      throw new TusError(409, `The upload is at ${offset} bytes, not ${wanted}.`);
    }
    if (offset < upload.size_bytes) await readmitUpload(context, upload);
    const end = await receiveBytes(context, request, upload, offset, takeover.signal);
    return reply.status(204).headers(stateHeaders(upload, end)).send();
  };
}

/** DELETE /uploads/:blob: cancels an upload that is not finished. */
function deleteUpload(context: UploadContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { blob } = await findOwnUpload(context, request);
    await using _lock = await context.locks.acquire(blob);
    await abandonUpload(context, blob);
    return reply.status(204).send();
  };
}

/** HEAD /uploads/:blob: where to resume. */
function describeUpload(context: UploadContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { blob } = await findOwnUpload(context, request);
    await using _lock = await context.locks.acquire(blob);
    const upload = await findOwnUpload(context, request);
    const metadata = { filename: upload.name, filetype: upload.media_type, id: upload.link_id };
    return reply
      .headers(stateHeaders(upload, await readOffset(context, upload)))
      .headers(partsHeader(context, upload))
      .header('upload-metadata', formatMetadata(metadata))
      .send();
  };
}
