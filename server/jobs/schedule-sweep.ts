import type { Logger } from 'pino';
import type { FileStore } from '../domain/files/file-store.ts';
import { sweepAbandonedUploads } from '../domain/files/sweep-abandoned-uploads.ts';
import { sweepUnsoldFiles } from '../domain/purchases/sweep-unsold-files.ts';
import type { Database } from '../domain/tables.ts';

const EVERY_MS = 60 * 60 * 1000;

interface Deps {
  db: Database;
  store: FileStore;
  /** Removes the sessions that have expired at a time in UTC milliseconds. */
  sweepSessions(now: number): Promise<void>;
  now: () => number;
  log: Logger;
}

/** Removes files and sessions that nobody needs now and every hour. @returns stops it */
export function scheduleSweep({ db, store, sweepSessions, now, log }: Deps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const sweep = () => {
    running = removeUnneeded().catch((error: unknown) =>
      log.error({ err: error }, 'what nobody needs could not be removed'),
    );
  };
  const removeUnneeded = async () => {
    await sweepAbandonedUploads(db, store, now());
    await sweepUnsoldFiles(db, store, now());
    await sweepSessions(now());
  };
  sweep();
  const timer = setInterval(sweep, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
