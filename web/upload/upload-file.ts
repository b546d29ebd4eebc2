import { type DetailedError, type HttpRequest, type HttpResponse, Upload } from 'tus-js-client';
import { parseRefusal, RequestError } from '../lib/request-error.ts';
import { createPartsStack } from './send-parts.ts';

export interface UploadEvents {
  /** The server opened the upload, or found it again: the key it will be stored under. */
  onOpened(key: string): void;
  onProgress(sentBytes: number, totalBytes: number): void;
  /** The connection was lost or the server has an error; it is retried. */
  onInterrupted(): void;
}

/** By what an upload is known again, in this browser and for this account. */
export interface UploadIdentity {
  userId: string;
  /** The name it is stored under, which may differ from that of the chosen file. */
  name: string;
  size: number;
  /** Of the chosen file, ms. */
  lastModified: number;
}

interface NewUpload extends UploadIdentity {
  file: File;
  /** The id of the link that is to sell it with others; null for a new one. */
  linkId: string | null;
}

export interface RunningUpload {
  /** The key under which the finished file is stored: public/{id}-{file name}. */
  key: Promise<string>;
  pause(): void;
  /** Resumes where it was paused. */
  resume(): void;
  /** Stops, and deletes what has been sent; `key` rejects with UploadCanceled. */
  cancel(): void;
}

export class UploadCanceled extends Error {
  override name = 'UploadCanceled';
}

/** The chosen file no longer exists as it was. */
export class FileChanged extends Error {
  override name = 'FileChanged';
}

/**
 * Milliseconds. A loss of the connection, or a restart of the server, that lasts a few minutes ends
 * nothing: the upload goes on where it was.
 */
export const RETRY_DELAYS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000, 30_000, 60_000, 60_000];

/** Milliseconds. A connection on which nothing moves for this long is given up for another. */
const STALLED_MS = 120_000;

/** Milliseconds. How long a new upload waits until canceled ones have released their space. */
const DELETION_MS = 10_000;
let deletion: Promise<unknown> = Promise.resolve();

/**
 * Sends a file in one resumable request. While the browser is offline it waits.
 * `key` rejects with RequestError where the server refused, and with FileChanged.
 */
export function uploadFile(
  { file, linkId, ...identity }: NewUpload,
  { onOpened, onProgress, onInterrupted }: UploadEvents,
): RunningUpload {
  const outcome = Promise.withResolvers<string>();
  const ended = new AbortController();
  let key = '';
  let paused = false;
  let attempt = randomToken();
  let stall = 0;
  const upload = new Upload(file, {
    ...storedAs(identity),
    httpStack: createPartsStack(file),
    retryDelays: RETRY_DELAYS,
    metadata: {
      filename: identity.name,
      filetype: file.type,
      ...(linkId !== null && { id: linkId }),
    },
    onBeforeRequest(request) {
      // Where only the answer was lost, the same upload is found again.
      if (request.getMethod() === 'POST') request.setHeader('Idempotency-Key', attempt);
      watchOver();
    },
    onAfterResponse(request, response) {
      key = response.getHeader('Upload-Key') ?? key;
      refuseToBeginAnew(request, response);
      if (request.getMethod() === 'POST' && response.getStatus() === 201) attempt = randomToken();
      if (key && !ended.signal.aborted) onOpened(decodeURIComponent(key));
    },
    onShouldRetry(error) {
      clearTimeout(stall);
      const passing = isPassing(refusalOf(error));
      if (passing && !ended.signal.aborted) onInterrupted();
      requireUnchanged(file).catch(fail);
      return passing && navigator.onLine;
    },
    onProgress(sentBytes, totalBytes) {
      watchOver();
      onProgress(sentBytes, totalBytes);
    },
    onSuccess() {
      clearTimeout(stall);
      requireUnchanged(file).then(
        () => outcome.resolve(decodeURIComponent(key)),
        (error) => {
          fail(error);
          void forget();
        },
      );
    },
    onError(error) {
      const refusal = refusalOf(error);
      if (navigator.onLine || !isPassing(refusal)) return fail(refusal);
      addEventListener('online', goOn, { once: true, signal: ended.signal });
    },
  });

  function goOn() {
    if (!paused && !ended.signal.aborted) upload.start();
  }

  function stop() {
    clearTimeout(stall);
    upload.abort().catch(() => {});
  }

  /** Of a connection that was lost unseen, as by a sleep, nothing else tells. */
  function watchOver() {
    clearTimeout(stall);
    stall = window.setTimeout(() => {
      stop();
      onInterrupted();
      goOn();
    }, STALLED_MS);
  }

  function fail(reason: unknown) {
    ended.abort();
    outcome.reject(reason);
    stop();
  }

  const forget = () => forgetUpload(identity);

  async function begin() {
    await deletion;
    const [previous] = await upload.findPreviousUploads();
    if (previous) upload.resumeFromPreviousUpload(previous);
    goOn();
  }
  begin().catch(fail);

  return {
    key: outcome.promise,
    pause() {
      paused = true;
      stop();
    },
    resume() {
      paused = false;
      goOn();
    },
    cancel() {
      fail(new UploadCanceled());
      void forget();
      release(upload.abort(true));
    },
  };
}

/** The next upload waits for it. What cannot be deleted now is swept by the server. */
function release(work: Promise<unknown>) {
  const deleted = work.catch(() => {});
  const waited = new Promise((resolve) => setTimeout(resolve, DELETION_MS));
  deletion = Promise.race([Promise.all([deletion, deleted]), waited]);
}

/** How an upload is found in the browser's storage. */
function storedAs({ userId, name, size, lastModified }: UploadIdentity) {
  const fingerprint = ['padlink', userId, size, lastModified, name].join('-');
  return { endpoint: '/uploads', fingerprint: () => Promise.resolve(fingerprint) };
}

const findStored = (identity: UploadIdentity) => new Upload(new Blob(), storedAs(identity));

/** Until then, the same file chosen again goes on where it was left, also when it is finished. */
export async function forgetUpload(identity: UploadIdentity): Promise<void> {
  const stored = findStored(identity);
  for (const { urlStorageKey } of await stored.findPreviousUploads()) {
    await stored.options.urlStorage?.removeUpload(urlStorageKey);
  }
}

/** Deletes what has been sent of a file whose upload does not run now, finished or not. */
export function discardUpload(identity: UploadIdentity): void {
  async function discard() {
    const stored = await findStored(identity).findPreviousUploads();
    await forgetUpload(identity);
    for (const { uploadUrl } of stored) if (uploadUrl) await deleteUpload(uploadUrl);
  }
  release(discard());
}

async function deleteUpload(url: string): Promise<void> {
  const headers = { 'tus-resumable': '1.0.0' };
  const { headers: state } = await fetch(url, { method: 'HEAD', headers });
  const isFinished = state.get('upload-offset') === state.get('upload-length');
  const file = `/storage?key=${state.get('upload-key')}`;
  await fetch(isFinished ? file : url, { method: 'DELETE', headers });
}

function randomToken(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** Whatever it is told of an upload, tus begins anew; only one that is gone is a reason to. */
function refuseToBeginAnew(request: HttpRequest, response: HttpResponse) {
  const status = response.getStatus();
  if (request.getMethod() !== 'HEAD' || status < 400 || status === 404) return;
  throw parseRefusal(status, response.getBody());
}

/** What the server said; where no answer came, what fetch would throw. */
function refusalOf(error: Error | DetailedError): Error {
  if (!('originalResponse' in error)) return error;
  const { originalResponse: response, causingError } = error;
  if (causingError instanceof RequestError) return causingError;
  if (response) return parseRefusal(response.getStatus(), response.getBody());
  return new TypeError('No answer came', { cause: error });
}

const CONFLICT = 409;
const LOCKED = 423;
const STORAGE_FULL = 507;

/** Whether the same request may succeed later: no answer came, or one that is not about it. */
function isPassing(error: Error): boolean {
  if (!(error instanceof RequestError)) return true;
  const { status, code } = error;
  if (status === CONFLICT) return code !== 'KEY_TAKEN' && code !== 'LINK_ID_TAKEN';
  return status === LOCKED || (status >= 500 && status !== STORAGE_FULL);
}

/** A browser gives no more bytes of a file that was changed or removed since it was chosen. */
async function requireUnchanged(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new FileChanged('The file was changed or removed during the upload. Choose it again.', {
      cause,
    });
  }
}

/** Milliseconds. Long enough to be calm, short enough to follow a change of network. */
const WINDOW_MS = 8000;
/** Milliseconds that a reading stands, so that it can be read. */
const HOLD_MS = 1000;

/** Bytes per second over the last few seconds; null until there is something to measure. */
export function createSpeedometer() {
  let samples: { at: number; bytes: number }[] = [];
  let reading: { at: number; bytesPerSecond: number } | null = null;
  return (bytes: number, at: number): number | null => {
    samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, bytes }];
    const first = samples[0];
    const holds = reading && at - reading.at < HOLD_MS;
    if (first && !holds && at - first.at >= 500) {
      reading = { at, bytesPerSecond: ((bytes - first.bytes) / (at - first.at)) * 1000 };
    }
    return reading?.bytesPerSecond ?? null;
  };
}
