import type { Logger } from 'pino';
import type { FileStore } from '../domain/files/file-store.ts';
import { sweepAbandonedUploads } from '../domain/files/sweep-abandoned-uploads.ts';
import type { Database } from '../domain/tables.ts';

const EVERY_MS = 60 * 60 * 1000;

interface Deps {
  db: Database;
  store: FileStore;
  now: () => number;
  log: Logger;
}

/** Removes abandoned uploads now and every hour. @returns stops it */
export function scheduleSweep({ db, store, now, log }: Deps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const sweep = () => {
    running = sweepAbandonedUploads(db, store, now()).catch((error: unknown) =>
      log.error({ err: error }, 'abandoned uploads could not be removed'),
    );
  };
  sweep();
  const timer = setInterval(sweep, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
