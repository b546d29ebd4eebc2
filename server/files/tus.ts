import type { FastifyReply, FastifyRequest } from 'fastify';
import { folderOf } from '../../contract/links.ts';
import type { ApiCall } from '../edge/http/describe-calls.ts';
import type { DatabaseContext } from '../ground/database/tables.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import type { Leases } from '../ground/lib/processes.ts';
import { finishUpload, type UploadHashes } from './append-to-upload.ts';
import type { FileStore } from './file-store.ts';
import { findUpload } from './queries.ts';
import { type UploadLimits, validMediaType } from './start-upload.ts';
import type { StoredFile } from './tables.ts';

export const TUS_VERSION = '1.0.0';
const BODY_TYPE = 'application/offset+octet-stream';

/** A request that violates the protocol; becomes a response with its status. */
export class TusError extends Error {
  override name = 'TusError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

/** @throws TusError 412 for another version of the protocol */
async function requireTus(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers['tus-resumable'] === TUS_VERSION) return;
  reply.header('tus-version', TUS_VERSION);
  throw new TusError(412, `Uploads use tus: send the header Tus-Resumable: ${TUS_VERSION}.`);
}

/** What every call of tus has in common: it is a creator's. */
export const tusRoute = (api: ApiCall) => ({
  preHandler: requireTus,
  config: { creatorsOnly: 'Sign in to upload files.', api },
});

/** States what is supported here. Other origins get no permission: there are no CORS headers. */
export function answerDiscovery(maxFileBytes: number) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply
      .status(204)
      .headers({
        'tus-version': TUS_VERSION,
        'tus-extension': 'creation,creation-with-upload,termination',
        'tus-max-size': maxFileBytes,
      })
      .send();
}

/** Reads a header that is a number of bytes. @throws TusError 400 */
export function readByteCount(request: FastifyRequest, name: string): number {
  const text = request.headers[name.toLowerCase()];
  const count = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw new TusError(400, `The header ${name} must be a number of bytes.`);
}

/** @throws TusError 400 */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const text = request.headers['idempotency-key'];
  if (text === undefined) return null;
  if (typeof text === 'string' && /^[!-~]{16,255}$/.test(text)) return text;
  throw new TusError(400, 'The header Idempotency-Key must have 16 to 255 visible characters.');
}

export function carriesBytes(request: FastifyRequest): boolean {
  return request.headers['content-type'] === BODY_TYPE;
}

/** @throws TusError 415 */
export function requireBytes(request: FastifyRequest): void {
  if (!carriesBytes(request)) throw new TusError(415, `Send the bytes as ${BODY_TYPE}.`);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

interface UploadMetadata {
  /** With the folders that it lies in. */
  fileName: string;
  mediaType: string;
  /** The link id the client chose. */
  linkId: string | null;
}

/** Reads Upload-Metadata: "key base64,key base64". @throws TusError 400 */
export function parseMetadata(header: string | string[] | undefined): UploadMetadata {
  const values = new Map<string, string>();
  for (const pair of String(header ?? '').split(',')) {
    const [key = '', value = '', ...rest] = pair.trim().split(' ');
    if (key === '' && header === undefined) continue;
    if (key === '' || rest.length > 0 || values.has(key)) throw malformed(pair.trim());
    values.set(key, decode(key, value));
  }
  const fileName = values.get('filename');
  if (fileName === undefined) throw new TusError(400, 'Upload-Metadata must contain a filename.');
  return {
    fileName: readFolder(fileName, values.get('relativePath')) + fileName,
    mediaType: validMediaType(values.get('filetype') ?? ''),
    linkId: values.get('id') ?? null,
  };
}

/**
 * The folders of a file as Uppy sends them: in a path from what was chosen on, which ends with a name,
 * begins with a slash where it was dropped, and is "null" where there is none.
 */
function readFolder(fileName: string, relativePath = ''): string {
  return /[/\\]/.test(fileName) ? '' : folderOf(relativePath.replace(/^\/+/, ''));
}

export function formatMetadata(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

function decode(key: string, base64: string): string {
  if (!BASE64.test(base64)) throw malformed(key);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw malformed(key);
  }
}

function malformed(part: string): TusError {
  return new TusError(
    400,
    `Upload-Metadata must be pairs of a key and UTF-8 text in base64; '${part}' is not.`,
  );
}

/**
 * The progress of an upload, as stored on the disk. One whose last byte arrived before the process
 * died is finished now.
 */
export async function readOffset(context: UploadContext, upload: StoredFile): Promise<number> {
  if (upload.finished_at !== null) return upload.size_bytes;
  const offset = (await context.store.sizeOf(upload.blob)) ?? 0;
  if (offset === upload.size_bytes) await finishUpload(context, upload);
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

export interface UploadContext extends UploadLimits, DatabaseContext {
  store: FileStore;
  hashes: UploadHashes;
  locks: UploadLocks;
  /** Whether there is a malware scanner. */
  scans: boolean;
  /** @throws DomainError for an account that may not sell */
  requireSeller(accountId: string): Promise<void>;
}

/**
 * Only one request at a time works on an upload, in whatever process. A newer one takes over: its
 * client has most likely lost the older connection, which the server may not notice for minutes.
 */
export class UploadLocks {
  readonly #held = new Map<string, { yieldNow: () => void; released: Promise<void> }>();
  readonly #leases: Leases | null;

  /** @param leases by which processes keep out of each other's uploads; null where there is one */
  constructor(leases: Leases | null) {
    this.#leases = leases;
  }

  /**
   * Resolves with what releases the lock. `yieldNow` is called when another request wants it.
   * @throws DomainError UNAVAILABLE if another process keeps it
   */
  async acquire(blob: string, yieldNow: () => void = () => {}): Promise<AsyncDisposable> {
    for (let held = this.#held.get(blob); held; held = this.#held.get(blob)) {
      held.yieldNow();
      await held.released;
    }
    const { promise: released, resolve } = Promise.withResolvers<void>();
    this.#held.set(blob, { yieldNow, released });
    const end = () => {
      this.#held.delete(blob);
      resolve();
    };
    const lease = await this.#leases
      ?.acquire(`upload ${blob}`, yieldNow)
      .catch((error: unknown) => {
        end();
        throw error;
      });
    return {
      async [Symbol.asyncDispose]() {
        await lease?.[Symbol.asyncDispose]();
        end();
      },
    };
  }
}

/**
 * The upload in the URL. Another creator's looks like one that does not exist.
 * @throws DomainError UPLOAD_NOT_FOUND
 */
export async function findOwnUpload(
  { db }: UploadContext,
  request: FastifyRequest,
): Promise<StoredFile> {
  const { blob } = request.params as { blob: string };
  const upload = await findUpload(db, request.creatorId, blob);
  if (upload) return upload;
  throw new DomainError('UPLOAD_NOT_FOUND', 'This upload does not exist.');
}
