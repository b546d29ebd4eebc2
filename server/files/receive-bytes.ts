import { finished, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../ground/lib/domain-error.ts';
import { abandonWhenFull, appendToUpload, finishUpload } from './append-to-upload.ts';
import type { StoredFile } from './tables.ts';
import { TusError, type UploadContext } from './tus.ts';

/** A connection that sends nothing for this long is gone; its client resumes on another. */
const IDLE_MS = 60_000;

/**
 * The client disconnected, or resumed on another connection: there is nobody to answer (nginx's
 * 499).
 */
class ClientLeft extends TusError {
  constructor(options?: ErrorOptions) {
    super(499, 'The client disconnected during an upload.', options);
  }
}

/**
 * Stores what the request carries and finishes the upload with its last byte.
 * @returns the new offset
 * @throws DomainError FILE_TOO_LARGE, STORAGE_FULL, ClientLeft
 */
export async function receiveBytes(
  context: UploadContext,
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
  return abandonWhenFull(context, upload.blob, async () => {
    const end = await appendToUpload(context, upload, offset, body(request, takeover));
    if (end === upload.size_bytes) await finishUpload(context, upload);
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

/** How much may be queued for the disk before the client has to wait. */
const MAX_QUEUED_BYTES = 512 * 1024;

/**
 * The bytes of a request as they arrive: while one batch is used, the next one accumulates. A batch
 * must not be touched once the next is requested, because its memory is freed then.
 * @throws Error when the client disconnects, after all earlier bytes were handed out
 */
async function* readBatches(body: Readable): AsyncGenerator<Uint8Array[], void> {
  const state: { gathered: Buffer[]; bytes: number; ended: boolean; error?: Error | null } = {
    gathered: [],
    bytes: 0,
    ended: false,
  };
  let wake = () => {};
  const gather = (chunk: Buffer) => {
    state.gathered.push(chunk);
    state.bytes += chunk.length;
    if (state.bytes >= MAX_QUEUED_BYTES) body.pause();
    wake();
  };
  const forget = finished(body, { writable: false }, (error) => {
    Object.assign(state, { ended: true, error });
    wake();
  });
  body.on('data', gather);
  try {
    for (;;) {
      const batch = state.gathered;
      if (batch.length > 0) {
        Object.assign(state, { gathered: [], bytes: 0 });
        body.resume();
        yield batch;
        batch.forEach(giveBack);
      } else if (state.ended) {
        if (state.error) throw state.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    body.off('data', gather);
    body.pause();
    forget();
  }
}

/**
 * Each chunk of a request has a memory block of its own, which the garbage collector lets pile up
 * to 64 MiB before it looks. A block that nobody else shares is freed at once (decision 004).
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** How long bytes are still read and discarded, so that the client gets to read the response. */
const LINGER_MS = 3_000;

/**
 * A refused body is not read to its end, which may be gigabytes away; but closing immediately would
 * reset the connection, and the client would lose the response.
 */
export async function endUnreadRequest(
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (raw.complete) return;
  reply.raw.once('finish', () => {
    const timer = setTimeout(() => raw.destroy(), LINGER_MS);
    raw.once('close', () => clearTimeout(timer));
    raw.resume();
  });
}
