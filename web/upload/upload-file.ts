import { type DetailedError, type HttpRequest, type HttpResponse, Upload } from 'tus-js-client';
import { parseRefusal, RequestError } from '../lib/request-error.ts';

export interface UploadEvents {
  onProgress(sentBytes: number, totalBytes: number): void;
  /** The connection was lost or the server has an error; it is retried. */
  onInterrupted(): void;
}

export interface RunningUpload {
  /** The key under which the finished file is stored: public/{id}-{file name}. */
  key: Promise<string>;
  pause(): void;
  /** Resumes where it was paused. */
  resume(): void;
  /** Stops, and deletes what has been sent; `key` rejects with UploadCanceled. */
  cancel(): void;
  /** Until then, the same file chosen again goes on where it was left, also when it is finished. */
  forget(): Promise<void>;
}

export class UploadCanceled extends Error {
  override name = 'UploadCanceled';
}

/** The chosen file no longer exists as it was. */
export class FileChanged extends Error {
  override name = 'FileChanged';
}

/** Milliseconds. A short loss of the connection goes unnoticed: the upload goes on where it was. */
const RETRY_DELAYS = [0, 1000, 3000, 5000, 10_000, 20_000];

/** Milliseconds. How long a new upload waits until canceled ones have released their space. */
const DELETION_MS = 10_000;
let deletion: Promise<unknown> = Promise.resolve();

/**
 * Sends a file in one resumable request. While the browser is offline it waits.
 * `key` rejects with RequestError where the server refused, and with FileChanged.
 */
export function uploadFile(file: File, { onProgress, onInterrupted }: UploadEvents): RunningUpload {
  const outcome = Promise.withResolvers<string>();
  const ended = new AbortController();
  let key = '';
  let paused = false;
  const upload = new Upload(file, {
    endpoint: '/uploads',
    retryDelays: RETRY_DELAYS,
    metadata: { filename: file.name, filetype: file.type },
    onAfterResponse(request, response) {
      key = response.getHeader('Upload-Key') ?? key;
      refuseToBeginAnew(request, response);
    },
    onShouldRetry(error) {
      const passing = isPassing(refusalOf(error));
      if (passing && !ended.signal.aborted) onInterrupted();
      requireUnchanged(file).catch(fail);
      return passing && navigator.onLine;
    },
    onProgress,
    onSuccess: () =>
      requireUnchanged(file).then(
        () => outcome.resolve(decodeURIComponent(key)),
        (error) => {
          fail(error);
          void forget();
        },
      ),
    onError(error) {
      const refusal = refusalOf(error);
      if (navigator.onLine || !isPassing(refusal)) return fail(refusal);
      addEventListener('online', goOn, { once: true, signal: ended.signal });
    },
  });

  function goOn() {
    if (!paused && !ended.signal.aborted) upload.start();
  }

  function fail(reason: unknown) {
    ended.abort();
    outcome.reject(reason);
    upload.abort().catch(() => {});
  }

  async function forget() {
    for (const { urlStorageKey } of await upload.findPreviousUploads()) {
      await upload.options.urlStorage?.removeUpload(urlStorageKey);
    }
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
      upload.abort().catch(() => {});
    },
    resume() {
      paused = false;
      goOn();
    },
    cancel() {
      fail(new UploadCanceled());
      void forget();
      // What cannot be deleted now is swept by the server.
      const deleted = upload.abort(true).catch(() => {});
      const waited = new Promise((resolve) => setTimeout(resolve, DELETION_MS));
      deletion = Promise.race([Promise.all([deletion, deleted]), waited]);
    },
    forget,
  };
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
  const { status } = error;
  return status === CONFLICT || status === LOCKED || (status >= 500 && status !== STORAGE_FULL);
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
