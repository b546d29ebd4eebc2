import {
  type DetailedError,
  type HttpRequest,
  type HttpResponse,
  Upload,
  type UploadOptions,
} from 'tus-js-client';
import { parseRefusal, RequestError } from '../lib/request-error.ts';
import {
  FileChanged,
  type NewUpload,
  RETRY_DELAYS,
  type RunningUpload,
  UploadCanceled,
  type UploadEvents,
  type UploadIdentity,
  untilOnline,
} from './running-upload.ts';
import { createPartsStack } from './send-parts.ts';

/** Milliseconds. A connection on which nothing moves for this long is given up for another. */
const STALLED_MS = 120_000;

/** Bytes. Many services in front of a server let no more than 100 MB through in one request. */
const REQUEST_BYTES = 64 * 1024 ** 2;

/** Also what the second try to delete is told, where only the answer to the first was lost. */
const GONE = 404;

/** Milliseconds. How long a new upload waits until canceled ones have released their space. */
const DELETION_MS = 10_000;
let deletion: Promise<unknown> = Promise.resolve();

/**
 * Sends a file in resumable requests. While the browser is offline it waits.
 * `key` rejects with RequestError where the server refused, and with FileChanged.
 */
export function uploadFile(
  begun: NewUpload,
  { onOpened, onProgress, onInterrupted }: UploadEvents,
): RunningUpload {
  const { file } = begun;
  const forget = () => forgetUpload(begun);
  const outcome = Promise.withResolvers<string>();
  const ended = new AbortController();
  let key = '';
  let paused = false;
  /** Whoever waited while it was started or stopped otherwise does not start it once more. */
  let starts = 0;
  // Of a connection that was lost unseen, as by a sleep, nothing else tells.
  const stall = createStall(() => {
    stop();
    onInterrupted();
    goOn();
  });
  const upload = prepareUpload(begun, {
    onRequest: stall.watch,
    onResponse(response) {
      key = response.getHeader('Upload-Key') ?? key;
      if (key && !ended.signal.aborted) onOpened(decodeURIComponent(key));
    },
    onShouldRetry(error) {
      stall.end();
      const passing = isPassing(refusalOf(error));
      if (passing) onInterrupted();
      requireUnchanged(file).catch(fail);
      return passing && navigator.onLine;
    },
    onProgress(sentBytes, totalBytes) {
      stall.watch();
      onProgress(sentBytes, totalBytes);
    },
    onSuccess() {
      stall.end();
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
      const turn = starts;
      void untilOnline().then(() => turn === starts && goOn());
    },
  });

  function goOn() {
    starts += 1;
    if (!paused && !ended.signal.aborted) upload.start();
  }

  function stop() {
    starts += 1;
    stall.end();
    upload.abort().catch(() => {});
  }

  function fail(reason: unknown) {
    ended.abort();
    outcome.reject(reason);
    stop();
  }

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
      release(abandon(upload));
    },
  };
}

interface UploadHooks
  extends Pick<UploadOptions, 'onShouldRetry' | 'onProgress' | 'onSuccess' | 'onError'> {
  onRequest(): void;
  /** Not where it was refused. */
  onResponse(response: HttpResponse): void;
}

/** How an upload is sent, and what the server is told of it. */
function prepareUpload(
  { file, linkId, ...identity }: NewUpload,
  { onRequest, onResponse, ...hooks }: UploadHooks,
): Upload {
  const attempt = `upload-attempt-${fingerprintOf(identity)}`;
  return new Upload(file, {
    ...storedAs(identity),
    ...hooks,
    httpStack: createPartsStack(file),
    chunkSize: REQUEST_BYTES,
    retryDelays: RETRY_DELAYS,
    metadata: {
      filename: identity.name,
      filetype: file.type,
      ...(linkId !== null && { id: linkId }),
    },
    onBeforeRequest(request) {
      if (request.getMethod() === 'POST') {
        request.setHeader('Idempotency-Key', tokenOf(attempt));
      }
      onRequest();
    },
    onAfterResponse(request, response) {
      refuseToBeginAnew(request, response);
      if (request.getMethod() === 'POST' && response.getStatus() === 201) {
        sessionStorage.removeItem(attempt);
      }
      onResponse(response);
    },
  });
}

/** Tells once nothing has moved for too long since it was last told to watch. */
function createStall(onStalled: () => void) {
  let timer = 0;
  const end = () => clearTimeout(timer);
  return {
    end,
    watch() {
      end();
      timer = window.setTimeout(onStalled, STALLED_MS);
    },
  };
}

/** Stops it, and deletes what has been sent. */
async function abandon(upload: Upload): Promise<void> {
  try {
    await upload.abort(true);
  } catch (error) {
    const refusal = refusalOf(error as Error);
    const isKept = refusal instanceof RequestError && refusal.status !== GONE && upload.url;
    if (!isKept) throw error;
    // Its last byte has just arrived: only the answer had not.
    await deleteUpload(isKept);
  }
}

/** The next upload waits for it. What cannot be deleted now is swept by the server. */
function release(work: Promise<unknown>) {
  const deleted = work.catch(() => {});
  const waited = new Promise((resolve) => setTimeout(resolve, DELETION_MS));
  deletion = Promise.race([Promise.all([deletion, deleted]), waited]);
}

/** How an upload is found in the browser's storage. */
function storedAs(identity: UploadIdentity) {
  return { endpoint: '/uploads', fingerprint: () => Promise.resolve(fingerprintOf(identity)) };
}

function fingerprintOf({ userId, name, size, lastModified }: UploadIdentity): string {
  return ['padlink', userId, size, lastModified, name].join('-');
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
  const { ok, headers: state } = await fetch(url, { method: 'HEAD', headers, keepalive: true });
  if (!ok) return;
  const isFinished = state.get('upload-offset') === state.get('upload-length');
  const file = `/storage?key=${state.get('upload-key')}`;
  await fetch(isFinished ? file : url, { method: 'DELETE', headers, keepalive: true });
}

/**
 * Of an attempt to begin an upload: where only the answer was lost, the same upload is found again
 * by it, also by a page that was loaded again meanwhile.
 */
function tokenOf(attempt: string): string {
  const kept = sessionStorage.getItem(attempt);
  const token = kept ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  sessionStorage.setItem(attempt, token);
  return token;
}

/** Whatever it is told of an upload, tus begins anew; only one that is gone is a reason to. */
function refuseToBeginAnew(request: HttpRequest, response: HttpResponse) {
  const status = response.getStatus();
  if (request.getMethod() !== 'HEAD' || status < 400 || status === GONE) return;
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

const REQUEST_TIMEOUT = 408;
const CONFLICT = 409;
const LOCKED = 423;
const TOO_MANY_REQUESTS = 429;
const STORAGE_FULL = 507;

/** Whether the same request may succeed later: no answer came, or one that is not about it. */
function isPassing(error: Error): boolean {
  if (!(error instanceof RequestError)) return true;
  const { status, code } = error;
  if (status === CONFLICT) return code !== 'KEY_TAKEN' && code !== 'LINK_ID_TAKEN';
  if ([REQUEST_TIMEOUT, LOCKED, TOO_MANY_REQUESTS].includes(status)) return true;
  return status >= 500 && status !== STORAGE_FULL;
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
