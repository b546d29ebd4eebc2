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
  /** What it is stored as, with its folders, which may differ from what the chosen file is called. */
  name: string;
  size: number;
  /** Of the chosen file, ms. */
  lastModified: number;
}

export interface NewUpload extends UploadIdentity {
  file: File;
  /** The id of the link that is to sell it with others; null for a new one. */
  linkId: string | null;
}

export interface RunningUpload {
  /** The key under which the finished file is stored: public/{id}-{name}. */
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

/** Milliseconds. Some browsers say that they are offline where the network works: it is tried then. */
const OFFLINE_MS = 30_000;

/** Waits until the browser says that it is back online, or until it is worth a try. */
export function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, OFFLINE_MS);
    function done() {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    }
    addEventListener('online', done);
  });
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
