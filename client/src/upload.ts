import { PadlinkError } from './errors.ts';
import {
  type Call,
  type CallOptions,
  type Transport,
  unlessAborted,
  waitAfter,
} from './transport.ts';

/** A file, or bytes as they come: of those it must be said how many there will be. */
export type UploadData = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface UploadOptions extends CallOptions {
  /** What buyers will find it under; a path such as `track1/mix.txt` keeps its folders. */
  name: string;
  /** Bytes; of a stream alone. */
  size?: number | undefined;
  /** The media type. */
  type?: string | undefined;
  /** The id that its link will have, eight hexadecimal digits. */
  linkId?: string | undefined;
  /**
   * 16 to 255 visible characters. The same file under the same key goes on where it ended, also from
   * another process; without one, an upload that fails is removed.
   */
  idempotencyKey?: string | undefined;
  /** Bytes that arrived, and all. */
  onProgress?: ((sent: number, total: number) => void) | undefined;
}

/** Of one request: what is kept in memory, and what is sent again where a connection breaks. */
const CHUNK_BYTES = 8 * 1024 ** 2;
/** Milliseconds for a chunk: at 14 kB a second it takes as long. */
const CHUNK_TIMEOUT = 600_000;
/** In a row, without a byte that arrived: the waits between them add up to a minute. */
const ATTEMPTS = 7;
const TUS = { 'tus-resumable': '1.0.0' };

/** Sends a file by tus 1.0.0. @throws PadlinkError */
export async function upload(
  transport: Transport,
  data: UploadData,
  options: UploadOptions,
): Promise<{ key: string; size: number }> {
  const { name, type, linkId, signal, onProgress } = options;
  const source = isStream(data) ? readStream(data, options.size) : readWhole(data);
  const { size } = source;
  const headers = {
    ...TUS,
    'upload-length': String(size),
    'upload-metadata': metadata({ filename: name, filetype: type, id: linkId }),
    // With it, opening an upload again finds the one whose answer was lost.
    'idempotency-key': options.idempotencyKey ?? crypto.randomUUID(),
  };
  const created = await open(transport, { method: 'POST', headers, signal });
  const path = created.headers.get('location') ?? '';
  let offset = offsetOf(created);
  try {
    onProgress?.(offset, size);
    for (let failures = 0; offset < size; ) {
      const body = await unlessAborted(signal, source.read(offset));
      try {
        const headers = {
          ...TUS,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        };
        const call = { method: 'PATCH', headers, body, signal, timeout: CHUNK_TIMEOUT };
        offset = offsetOf(await transport.send(path, call));
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!mayGoOn(error) || failures >= ATTEMPTS) throw error;
        await waitAfter(error, failures - 1, signal);
        const before = offset;
        offset = await transport
          .send(path, { method: 'HEAD', headers: TUS, signal })
          .then(offsetOf, (lost) => (mayGoOn(lost) ? before : Promise.reject(lost)));
      }
      onProgress?.(offset, size);
    }
  } catch (error) {
    // Nobody could go on with it.
    const end = { method: 'DELETE', headers: TUS, timeout: 5_000 };
    if (!options.idempotencyKey) await transport.send(path, end).catch(() => {});
    throw error;
  } finally {
    // Not waited for: a stream that stands still would not end.
    source.end?.().catch(() => {});
  }
  return { key: decodeURIComponent(created.headers.get('upload-key') ?? ''), size };
}

async function open(transport: Transport, call: Call): Promise<Response> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await transport.send('/uploads', call);
    } catch (error) {
      if (!mayPass(error) || failures >= ATTEMPTS) throw error;
      await waitAfter(error, failures - 1, call.signal);
    }
  }
}

/** Whether the same may succeed later: the connection broke, or the server is busy or restarting. */
function mayPass(error: unknown): error is PadlinkError {
  if (!(error instanceof PadlinkError)) return false;
  return error.code === 'NO_ANSWER' || [429, 502, 503, 504].includes(error.status);
}

/** The same of bytes, of which more or less than was known here may have arrived. */
function mayGoOn(error: unknown): error is PadlinkError {
  return mayPass(error) || (error instanceof PadlinkError && error.status === 409);
}

/** @throws PadlinkError INVALID_ANSWER */
function offsetOf({ headers, status }: Response): number {
  const offset = Number(headers.get('upload-offset') ?? Number.NaN);
  if (Number.isSafeInteger(offset)) return offset;
  const message = 'The answer does not say how much of the upload arrived.';
  throw new PadlinkError('INVALID_ANSWER', message, { status });
}

function metadata(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${base64(value)}`))
    .join(',');
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

interface Source {
  /** Bytes. */
  size: number;
  /** What follows so many bytes, at least one. */
  read(offset: number): Promise<BodyInit>;
  /** Nothing more is read. */
  end?(): Promise<unknown>;
}

function isStream(
  data: UploadData,
): data is ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> {
  return !(data instanceof Blob || data instanceof Uint8Array);
}

function readWhole(data: Blob | Uint8Array): Source {
  const blob = data instanceof Blob ? data : new Blob([data as Uint8Array<ArrayBuffer>]);
  return {
    size: blob.size,
    read: async (offset) => blob.slice(offset, offset + CHUNK_BYTES),
  };
}

/** @throws PadlinkError INVALID_INPUT without a size */
function readStream(
  data: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number | undefined,
): Source {
  if (size === undefined) {
    throw new PadlinkError('INVALID_INPUT', 'Say how many bytes the stream has, as size.');
  }
  const announced = size;
  const chunks = 'getReader' in data ? readerOf(data) : data[Symbol.asyncIterator]();
  /** The bytes from `start` on, which may have to be sent again. */
  let kept = new Uint8Array();
  let start = 0;

  async function next(): Promise<void> {
    start += kept.length;
    const parts: Uint8Array[] = [];
    let length = 0;
    // Its end is looked for as well: a stream that is longer is not sold cut off.
    while (length < CHUNK_BYTES || start + length >= announced) {
      const { value, done } = await chunks.next();
      if (done) break;
      parts.push(value);
      length += value.length;
      if (start + length > announced) throw wrongSize(`more than ${announced}`);
    }
    if (length === 0) throw wrongSize(`only ${start}`);
    kept = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      kept.set(part, at);
      at += part.length;
    }
  }

  function wrongSize(bytes: string): PadlinkError {
    const message = `The stream has ${bytes} bytes, and ${announced} were announced.`;
    return new PadlinkError('INVALID_INPUT', message);
  }

  return {
    size,
    async read(offset) {
      if (offset < start) {
        throw new PadlinkError('NO_ANSWER', 'The shop lost bytes of the stream. Upload it anew.');
      }
      while (offset >= start + kept.length) await next();
      return kept.subarray(offset - start);
    },
    end: async () => chunks.return?.(),
  };
}

/** As streams are read where they cannot be iterated. */
async function* readerOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isWhole = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      isWhole = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isWhole) await reader.cancel();
  }
}
