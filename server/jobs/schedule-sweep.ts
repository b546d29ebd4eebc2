import type { Logger } from 'pino';
import type { FileStore } from '../domain/files/file-store.ts';
import { sweepAbandonedUploads } from '../domain/files/sweep-abandoned-uploads.ts';
import { sweepUnsoldFiles } from '../domain/purchases/sweep-unsold-files.ts';
import type { Database } from '../domain/tables.ts';

const EVERY_MS = 60 * 60 * 1000;

interface Deps {
  db: Database;
  store: FileStore;
  now: () => number;
  log: Logger;
}

/** Removes files that nobody needs now and every hour. @returns stops it */
export function scheduleSweep({ db, store, now, log }: Deps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const sweep = () => {
    running = removeUnneeded().catch((error: unknown) =>
      log.error({ err: error }, 'files that nobody needs could not be removed'),
    );
  };
  const removeUnneeded = async () => {
    await sweepAbandonedUploads(db, store, now());
    await sweepUnsoldFiles(db, store, now());
  };
  sweep();
  const timer = setInterval(sweep, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
