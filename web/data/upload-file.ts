import { type DetailedError, Upload } from 'tus-js-client';
import { parseRefusal } from './request-error.ts';

export interface RunningUpload {
  /** The key under which the finished file is stored: public/{id}-{file name}. */
  key: Promise<string>;
  /** Stops, and deletes what has been sent; `key` rejects with UploadCancelled. */
  cancel(): void;
}

export class UploadCancelled extends Error {
  override name = 'UploadCancelled';
}

/** Milliseconds. A short loss of the connection goes unnoticed: the upload goes on where it was. */
const RETRY_DELAYS = [0, 1000, 3000, 5000, 10_000, 20_000];

/**
 * Sends a file in one resumable request; the same file chosen again goes on where it was left.
 * `key` rejects with RequestError where the server refused.
 */
export function uploadFile(
  file: File,
  onProgress: (sentBytes: number, totalBytes: number) => void,
): RunningUpload {
  const outcome = Promise.withResolvers<string>();
  let key = '';
  const upload = new Upload(file, {
    endpoint: '/uploads',
    retryDelays: RETRY_DELAYS,
    metadata: { filename: file.name, filetype: file.type },
    removeFingerprintOnSuccess: true,
    onAfterResponse: (_, response) => {
      key = response.getHeader('Upload-Key') ?? key;
    },
    onProgress,
    onSuccess: () => outcome.resolve(decodeURIComponent(key)),
    onError: (error) => outcome.reject(refusalOf(error)),
  });
  let cancelled = false;
  upload.findPreviousUploads().then(([previous]) => {
    if (cancelled) return;
    if (previous) upload.resumeFromPreviousUpload(previous);
    upload.start();
  }, outcome.reject);
  return {
    key: outcome.promise,
    cancel() {
      cancelled = true;
      outcome.reject(new UploadCancelled());
      // What cannot be deleted now is swept by the server.
      upload.abort(true).catch(() => {});
    },
  };
}

/** What the server said, if it was the server that ended the upload. */
function refusalOf(error: Error | DetailedError): Error {
  const response = 'originalResponse' in error && error.originalResponse;
  return response ? parseRefusal(response.getStatus(), response.getBody()) : error;
}
