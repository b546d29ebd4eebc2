import { type DetailedError, Upload } from 'tus-js-client';

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
 * `key` rejects with what the server said: see uploadRefusal.
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
    onError: outcome.reject,
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

/** The status and, where there are any, the words of a refused upload. */
export function uploadRefusal(error: unknown): { status?: number; detail?: string } {
  const response = (error as Partial<DetailedError>).originalResponse;
  if (!response) return {};
  try {
    return { status: response.getStatus(), detail: JSON.parse(response.getBody()).detail };
  } catch {
    return { status: response.getStatus() };
  }
}
